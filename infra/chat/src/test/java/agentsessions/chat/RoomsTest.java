package agentsessions.chat;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/// Tests of the client's dependencies: it sees nothing else of the project, and of its packages,
/// the command `▸ terminal ▸ conversation ▸ transcript ▸ api`, each sees only those to its right.
class RoomsTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("agentsessions.chat");

  @Test
  void itSeesNothingElseOfTheProject() {
    noClasses()
        .should()
        .dependOnClassesThat(
            resideInAPackage("agentsessions..").and(not(resideInAPackage("agentsessions.chat.."))))
        .check(CLASSES);
  }

  @Test
  void eachRoomSeesOnlyTheRoomsToItsRight() {
    layeredArchitecture()
        .consideringOnlyDependenciesInLayers()
        .layer("command")
        .definedBy("agentsessions.chat")
        .layer("terminal")
        .definedBy("agentsessions.chat.terminal")
        .layer("conversation")
        .definedBy("agentsessions.chat.conversation")
        .layer("transcript")
        .definedBy("agentsessions.chat.transcript")
        .layer("api")
        .definedBy("agentsessions.chat.api")
        .whereLayer("command")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("terminal")
        .mayOnlyBeAccessedByLayers("command")
        .whereLayer("conversation")
        .mayOnlyBeAccessedByLayers("command", "terminal")
        .whereLayer("transcript")
        .mayOnlyBeAccessedByLayers("command", "terminal", "conversation")
        .check(CLASSES);
  }

  @Test
  void whoSpeaksHttpKnowsNoTerminal() {
    noClasses()
        .that()
        .resideInAPackage("agentsessions.chat.api")
        .and()
        .doNotHaveSimpleName("Access") // the options that say where the service is
        .and()
        .doNotHaveSimpleName("ClientVersion")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.jline..", "picocli..")
        .check(CLASSES);
  }
}
