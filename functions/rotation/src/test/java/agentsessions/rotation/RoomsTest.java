package agentsessions.rotation;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/// The permitted dependencies of the rotation: it meets the service in the secret, and nowhere
/// else.
class RoomsTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("agentsessions.rotation");

  @Test
  void itSeesNothingElseOfTheProject() {
    noClasses()
        .should()
        .dependOnClassesThat(
            resideInAPackage("agentsessions..")
                .and(not(resideInAPackage("agentsessions.rotation.."))))
        .check(CLASSES);
  }
}
