package agentsessions.local;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/// Tests of the packages' dependencies, `local ▸ front ▸ aws ▸ process ▸ machine | wire | steps`:
/// each sees only those to its right.
class RoomsTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("agentsessions.local");

  @Test
  void eachRoomSeesOnlyTheRoomsToItsRight() {
    layeredArchitecture()
        .consideringOnlyDependenciesInLayers()
        .layer("local")
        .definedBy("agentsessions.local")
        .layer("front")
        .definedBy("agentsessions.local.front..")
        .layer("aws")
        .definedBy("agentsessions.local.aws..")
        .layer("process")
        .definedBy("agentsessions.local.process..")
        .layer("machine")
        .definedBy("agentsessions.local.machine..")
        .layer("wire")
        .definedBy("agentsessions.local.wire..")
        .whereLayer("local")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("front")
        .mayOnlyBeAccessedByLayers("local")
        .whereLayer("aws")
        .mayOnlyBeAccessedByLayers("local", "front")
        .whereLayer("process")
        .mayOnlyBeAccessedByLayers("local", "front", "aws")
        .whereLayer("machine")
        .mayOnlyBeAccessedByLayers("local", "front", "aws", "process")
        .whereLayer("wire")
        .mayOnlyBeAccessedByLayers("local", "front", "aws", "process")
        .check(CLASSES);
  }

  @Test
  void theStepEngineKnowsNothingOfTheService() {
    noClasses()
        .that()
        .resideInAPackage("agentsessions.local.steps..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "agentsessions.local",
            "agentsessions.local.front..",
            "agentsessions.local.aws..",
            "agentsessions.local.process..",
            "agentsessions.local.wire..",
            "agentsessions.turn..",
            "agentsessions.aws..",
            "agentsessions.session..")
        .check(CLASSES);
  }

  @Test
  void theFrontKnowsNoRuleOfTheService() {
    noClasses()
        .that()
        .resideInAPackage("agentsessions.local.front..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "agentsessions.api..", "agentsessions.turn..", "agentsessions.session..")
        .check(CLASSES);
  }
}
