package agentsessions.runner;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The rooms of the runner, `start ▸ turn ▸ repository ▸ capture ▸ control ▸ sandbox ▸ network ▸
/// usage ▸ agent`: each sees only those to its right, none of them the service or the SDK, and none
/// has more files than one look takes in.
class RoomsTest {
  private static final int MOST_FILES = 25;
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
  void noFolderHasMoreFilesThanOneLookTakesIn() throws IOException {
    for (String sources : List.of("src/main/java", "src/test/java")) {
      assertEquals(Map.of(), crowded(Path.of(sources)), sources);
    }
  }

  private static Map<String, Long> crowded(Path sources) throws IOException {
    try (Stream<Path> files = Files.walk(sources)) {
      Map<String, Long> folders =
          files
              .filter(file -> file.toString().endsWith(".java"))
              .filter(file -> !file.endsWith("package-info.java"))
              .collect(groupingBy(file -> String.valueOf(file.getParent()), counting()));
      folders.values().removeIf(count -> count <= MOST_FILES);
      return folders;
    }
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
