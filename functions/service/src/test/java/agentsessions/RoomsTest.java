package agentsessions;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import jakarta.inject.Inject;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/// The rooms of the service, `lambda ▸ api | protocol ▸ turn ▸ aws ▸ session`: each sees only those
/// to its right, and each thing from outside is let into one of them only.
class RoomsTest {
  private static final JavaClasses SERVICE =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .withImportOption(RoomsTest::written)
          .importPackages(
              "agentsessions.lambda",
              "agentsessions.api",
              "agentsessions.protocol",
              "agentsessions.turn",
              "agentsessions.aws",
              "agentsessions.session");

  /// Micronaut writes classes of its own beside ours: `$Name$Definition` and the like.
  private static boolean written(Location location) {
    return !location.contains("/$");
  }

  private static final List<String> VAGUE =
      List.of("Util", "Utils", "Common", "Service", "Dto", "Impl", "Mapper", "Manager", "Helper");

  @Test
  void eachRoomSeesOnlyTheRoomsToItsRight() {
    layeredArchitecture()
        .consideringOnlyDependenciesInLayers()
        .layer("lambda")
        .definedBy("agentsessions.lambda..")
        .layer("api")
        .definedBy("agentsessions.api..")
        .layer("protocol")
        .definedBy("agentsessions.protocol..")
        .layer("turn")
        .definedBy("agentsessions.turn..")
        .layer("aws")
        .definedBy("agentsessions.aws..")
        .layer("session")
        .definedBy("agentsessions.session..")
        .whereLayer("lambda")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("api")
        .mayOnlyBeAccessedByLayers("lambda")
        .whereLayer("protocol")
        .mayOnlyBeAccessedByLayers("lambda")
        .whereLayer("turn")
        .mayOnlyBeAccessedByLayers("lambda", "api", "protocol")
        .whereLayer("aws")
        .mayOnlyBeAccessedByLayers("lambda", "api", "protocol", "turn")
        .whereLayer("session")
        .mayOnlyBeAccessedByLayers("lambda", "api", "protocol", "turn", "aws")
        .check(SERVICE);
  }

  @Test
  void theRulesSeeOnlyTheLanguage() {
    classes()
        .that()
        .resideInAPackage("agentsessions.session..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("agentsessions.session..", "java..", "org.jspecify..")
        .check(SERVICE);
  }

  @Test
  void onlyAwsKnowsTheSdk() {
    noClasses()
        .that()
        .resideOutsideOfPackage("agentsessions.aws..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("software.amazon.awssdk..")
        .check(SERVICE);
  }

  @Test
  void httpIsSpokenAtTheDoorOnly() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            "agentsessions.lambda..", "agentsessions.api..", "agentsessions.protocol..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.micronaut.http..", "com.amazonaws..events..")
        .check(SERVICE);
  }

  @Test
  void theRunnerIsOfAnotherWorld() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("agentsessions.runner..", "agentsessions.local..")
        .check(SERVICE);
  }

  @Test
  void nothingIsNamedAfterWhatItMightBe() {
    noClasses()
        .should()
        .haveNameMatching(".*\\.(util|utils|common|service|services|dto|impl|mapper|manager)\\..*")
        .check(SERVICE);
    classes().should(beNamedForTheirPart()).check(SERVICE);
  }

  @Test
  void valuesAreNotChanged() {
    methods()
        .that()
        .areDeclaredInClassesThat(resideInAnyPackage("agentsessions.."))
        .and()
        .arePublic()
        .should()
        .haveNameNotMatching("set[A-Z].*|get[A-Z].*")
        .check(SERVICE);
    fields()
        .that()
        .areNotStatic()
        .and()
        .arePublic()
        .should()
        .beFinal()
        .allowEmptyShould(true)
        .check(SERVICE);
    classes()
        .that()
        .resideInAPackage("agentsessions.session..")
        .and()
        .areNotNestedClasses()
        .should()
        .haveOnlyFinalFields()
        .check(SERVICE);
  }

  @Test
  void whatIsNeededComesThroughTheConstructor() {
    fields().should().notBeAnnotatedWith(Inject.class).check(SERVICE);
    methods().should().notBeAnnotatedWith(Inject.class).check(SERVICE);
  }

  @Test
  void noInterfaceHasOneImplementation() {
    classes().that().areInterfaces().should(haveSeveralImplementations()).check(SERVICE);
  }

  @Test
  void nobodyPrintsOrSleeps() {
    noClasses().should().callMethod(Thread.class, "sleep", long.class).check(SERVICE);
    // A metric is a line of its own there, which the log's words beside it would spoil.
    noClasses()
        .that()
        .doNotHaveSimpleName("SweepHandler")
        .should()
        .accessField(System.class, "out")
        .check(SERVICE);
    noClasses().should().accessField(System.class, "err").check(SERVICE);
  }

  private static ArchCondition<JavaClass> beNamedForTheirPart() {
    return condition(
        "be named for their part",
        type -> VAGUE.stream().noneMatch(type.getSimpleName()::endsWith));
  }

  private static ArchCondition<JavaClass> haveSeveralImplementations() {
    return condition("have several implementations", type -> type.getAllSubclasses().size() != 1);
  }

  private static ArchCondition<JavaClass> condition(String sentence, Predicate<JavaClass> holds) {
    return new ArchCondition<>(sentence) {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        events.add(
            new SimpleConditionEvent(type, holds.test(type), type.getName() + " must " + sentence));
      }
    };
  }
}
