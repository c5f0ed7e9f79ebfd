package agentsessions;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/// What service and runner share stands on nothing but the language, so that neither brings
/// anything else of the other's with it.
class RoomsTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("agentsessions.wire", "agentsessions.rule");

  @Test
  void thereAreOnlyTheLanguageAndAnnotations() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "agentsessions.wire..",
            "agentsessions.rule..",
            "java..",
            "org.jspecify.annotations..",
            "com.fasterxml.jackson.annotation..")
        .check(CLASSES);
  }

  @Test
  void theRulesKnowNoMessage() {
    noClasses()
        .that()
        .resideInAPackage("agentsessions.rule..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("agentsessions.wire..")
        .check(CLASSES);
  }
}
