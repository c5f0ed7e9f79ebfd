package agentsessions.authorizer;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/// The permitted dependencies of the key rules, which are on every request's path.
class RoomsTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("agentsessions.authorizer");

  @Test
  void theySeeNothingElseOfTheProject() {
    noClasses()
        .should()
        .dependOnClassesThat(
            resideInAPackage("agentsessions..")
                .and(not(resideInAPackage("agentsessions.authorizer.."))))
        .check(CLASSES);
  }

  @Test
  void noFrameworkSlowsTheColdStart() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.micronaut..", "com.fasterxml.jackson.databind..", "org.slf4j..")
        .check(CLASSES);
  }

  /// What is drawn before a snapshot is the same in all its copies, and so is what follows by a
  /// generator that it holds.
  @Test
  void noSnapshotHoldsARandomNumberGenerator() {
    noFields().should().haveRawType(assignableTo(RandomGenerator.class)).check(CLASSES);
    noClasses()
        .should()
        .dependOnClassesThat(belongToAnyOf(ThreadLocalRandom.class, SplittableRandom.class))
        .check(CLASSES);
  }

  /// What the function runs: its archive has no SDK.
  @Test
  void theCheckOfAKeyKnowsNoSdk() {
    noClasses()
        .that()
        .haveNameMatching(
            "agentsessions\\.authorizer\\.(wire\\..*|LambdaKeyLookup|Authorizer|TokenEvent|Principal|Grant|Scope|ApiKey|KeyRecord|KeyLookup)")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("software.amazon..")
        .check(CLASSES);
  }
}
