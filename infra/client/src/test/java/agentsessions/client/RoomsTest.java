package agentsessions.client;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/// What the terminal client may see: the contract, and a terminal.
class RoomsTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("agentsessions.client");

  @Test
  void itSeesNothingElseOfTheProject() {
    noClasses()
        .should()
        .dependOnClassesThat(
            resideInAPackage("agentsessions..")
                .and(not(resideInAPackage("agentsessions.client.."))))
        .check(CLASSES);
  }

  @Test
  void whoSpeaksHttpKnowsNoTerminal() {
    noClasses()
        .that()
        .haveSimpleName("Http")
        .or()
        .haveSimpleName("Api")
        .or()
        .haveSimpleName("Wire")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.jline..", "picocli..")
        .check(CLASSES);
  }
}
