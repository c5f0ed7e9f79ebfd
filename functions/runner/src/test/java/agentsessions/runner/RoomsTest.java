package agentsessions.runner;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/// The rooms of the runner, `runner ▸ repository ▸ capture ▸ protocol ▸ sandbox ▸ network ▸ usage ▸
/// agent`: each sees only those to its right, and none of them the service or the SDK.
class RoomsTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("agentsessions.runner");

  @Test
  void eachRoomSeesOnlyTheRoomsToItsRight() {
    layeredArchitecture()
        .consideringOnlyDependenciesInLayers()
        .layer("runner")
        .definedBy("agentsessions.runner")
        .layer("repository")
        .definedBy("agentsessions.runner.repository..")
        .layer("capture")
        .definedBy("agentsessions.runner.capture..")
        .layer("protocol")
        .definedBy("agentsessions.runner.protocol..")
        .layer("sandbox")
        .definedBy("agentsessions.runner.sandbox..")
        .layer("network")
        .definedBy("agentsessions.runner.network..")
        .layer("usage")
        .definedBy("agentsessions.runner.usage..")
        .layer("agent")
        .definedBy("agentsessions.runner.agent..")
        .whereLayer("runner")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("repository")
        .mayOnlyBeAccessedByLayers("runner")
        .whereLayer("capture")
        .mayOnlyBeAccessedByLayers("runner", "repository")
        .whereLayer("protocol")
        .mayOnlyBeAccessedByLayers("runner", "repository", "capture")
        .whereLayer("sandbox")
        .mayOnlyBeAccessedByLayers("runner", "repository", "capture", "protocol")
        .whereLayer("network")
        .mayOnlyBeAccessedByLayers("runner", "repository", "capture", "protocol", "sandbox")
        .whereLayer("usage")
        .mayOnlyBeAccessedByLayers(
            "runner", "repository", "capture", "protocol", "sandbox", "network")
        .whereLayer("agent")
        .mayOnlyBeAccessedByLayers(
            "runner", "repository", "capture", "protocol", "sandbox", "network", "usage")
        .check(CLASSES);
  }

  @Test
  void theUntrustedSideKnowsNeitherTheServiceNorTheSdk() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "software.amazon.awssdk..",
            "agentsessions.lambda..",
            "agentsessions.api..",
            "agentsessions.protocol..",
            "agentsessions.turn..",
            "agentsessions.aws..",
            "agentsessions.session..",
            "agentsessions.local..")
        .check(CLASSES);
  }
}
