package agentsessions.runner;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/// The rooms of the runner, `start ▸ turn ▸ repository ▸ capture ▸ control ▸ sandbox ▸ network ▸
/// usage ▸ agent`: each sees only those to its right, none of them the service or the SDK.
class RoomsTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("agentsessions.runner");

  @Test
  void eachRoomSeesOnlyTheRoomsToItsRight() {
    layeredArchitecture()
        .consideringOnlyDependenciesInLayers()
        .layer("start")
        .definedBy("agentsessions.runner.start..")
        .layer("turn")
        .definedBy("agentsessions.runner.turn..")
        .layer("repository")
        .definedBy("agentsessions.runner.repository..")
        .layer("capture")
        .definedBy("agentsessions.runner.capture..")
        .layer("control")
        .definedBy("agentsessions.runner.control..")
        .layer("sandbox")
        .definedBy("agentsessions.runner.sandbox..")
        .layer("network")
        .definedBy("agentsessions.runner.network..")
        .layer("usage")
        .definedBy("agentsessions.runner.usage..")
        .layer("agent")
        .definedBy("agentsessions.runner.agent..")
        .whereLayer("start")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("turn")
        .mayOnlyBeAccessedByLayers("start")
        .whereLayer("repository")
        .mayOnlyBeAccessedByLayers("start", "turn")
        .whereLayer("capture")
        .mayOnlyBeAccessedByLayers("start", "turn", "repository")
        .whereLayer("control")
        .mayOnlyBeAccessedByLayers("start", "turn", "repository", "capture")
        .whereLayer("sandbox")
        .mayOnlyBeAccessedByLayers("start", "turn", "repository", "capture", "control")
        .whereLayer("network")
        .mayOnlyBeAccessedByLayers("start", "turn", "repository", "capture", "control", "sandbox")
        .whereLayer("usage")
        .mayOnlyBeAccessedByLayers(
            "start", "turn", "repository", "capture", "control", "sandbox", "network")
        .whereLayer("agent")
        .mayOnlyBeAccessedByLayers(
            "start", "turn", "repository", "capture", "control", "sandbox", "network", "usage")
        .check(CLASSES);
  }

  @Test
  void shelvesMakeNoCircle() {
    slices().matching("agentsessions.runner.(**)").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void theUntrustedSideKnowsNeitherTheServiceNorTheSdk() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "software.amazon.awssdk..",
            "agentsessions.lambda..",
            "agentsessions.jobs..",
            "agentsessions.api..",
            "agentsessions.protocol..",
            "agentsessions.turn..",
            "agentsessions.store..",
            "agentsessions.aws..",
            "agentsessions.table..",
            "agentsessions.session..",
            "agentsessions.local..")
        .check(CLASSES);
  }
}
