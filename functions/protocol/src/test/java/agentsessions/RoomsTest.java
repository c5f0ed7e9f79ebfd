package agentsessions;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/// The shared module depends on the language and annotations only, so that neither side brings
/// dependencies into the other.
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
