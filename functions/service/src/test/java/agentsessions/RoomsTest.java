package agentsessions;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import agentsessions.session.id.SessionKey;
import agentsessions.table.Change;
import agentsessions.table.ChangeSignal;
import agentsessions.table.LargeReads;
import agentsessions.table.ParallelCalls;
import agentsessions.table.Retries;
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
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/// The rooms of the service, `lambda ▸ jobs ▸ api | protocol ▸ turn ▸ store ▸ aws ▸ table ▸
/// session`: each sees only those to its right, and each thing from outside is let into one of them
/// only.
class RoomsTest {
  private static final JavaClasses SERVICE =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .withImportOption(RoomsTest::written)
          .importPackages(
              "agentsessions.lambda",
              "agentsessions.jobs",
              "agentsessions.api",
              "agentsessions.protocol",
              "agentsessions.turn",
              "agentsessions.store",
              "agentsessions.aws",
              "agentsessions.table",
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
        .layer("jobs")
        .definedBy("agentsessions.jobs..")
        .layer("api")
        .definedBy("agentsessions.api..")
        .layer("protocol")
        .definedBy("agentsessions.protocol..")
        .layer("turn")
        .definedBy("agentsessions.turn..")
        .layer("store")
        .definedBy("agentsessions.store..")
        .layer("aws")
        .definedBy("agentsessions.aws..")
        .layer("table")
        .definedBy("agentsessions.table..")
        .layer("session")
        .definedBy("agentsessions.session..")
        .whereLayer("lambda")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("jobs")
        .mayOnlyBeAccessedByLayers("lambda")
        .whereLayer("api")
        .mayOnlyBeAccessedByLayers("lambda", "jobs")
        .whereLayer("protocol")
        .mayOnlyBeAccessedByLayers("lambda")
        .whereLayer("turn")
        .mayOnlyBeAccessedByLayers("lambda", "jobs", "api", "protocol")
        .whereLayer("store")
        .mayOnlyBeAccessedByLayers("lambda", "jobs", "api", "protocol", "turn")
        .whereLayer("aws")
        .mayOnlyBeAccessedByLayers("lambda", "jobs", "api", "protocol", "turn", "store")
        .whereLayer("table")
        .mayOnlyBeAccessedByLayers("lambda", "jobs", "api", "protocol", "turn", "store", "aws")
        .check(SERVICE);
  }

  @Test
  void theRulesSeeOnlyTheLanguage() {
    classes()
        .that()
        .resideInAPackage("agentsessions.session..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "agentsessions.session..", "agentsessions.rule..", "java..", "org.jspecify..")
        .check(SERVICE);
  }

  @Test
  void onlyTheProtocolSpeaksWithRunners() {
    noClasses()
        .that()
        .resideOutsideOfPackage("agentsessions.protocol..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("agentsessions.wire..")
        .check(SERVICE);
  }

  @Test
  void shelvesMakeNoCircle() {
    slices().matching("agentsessions.(**)").should().beFreeOfCycles().check(SERVICE);
  }

  @Test
  void onlyWhatKeepsThingsKnowsTheSdk() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            "agentsessions.aws..", "agentsessions.table..", "agentsessions.store..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("software.amazon.awssdk..")
        .check(SERVICE);
  }

  @Test
  void onlyAwsKnowsOtherServicesThanTheTable() {
    noClasses()
        .that()
        .resideOutsideOfPackage("agentsessions.aws..")
        .should()
        .dependOnClassesThat(
            resideInAPackage("software.amazon.awssdk.services..")
                .and(resideOutsideOfPackage("software.amazon.awssdk.services.dynamodb..")))
        .check(SERVICE);
  }

  @Test
  void conditionsOfWritesStandWhereThingsAreKeptAndTurnsChange() {
    noClasses()
        .that()
        .resideOutsideOfPackages("agentsessions.turn..", "agentsessions.store..")
        .should()
        .callMethod(Change.class, "when", String.class)
        .check(SERVICE);
  }

  /// Beside the jobs only the table has waits and threads: retries, parallel calls, waiting for a
  /// change or a permit.
  @Test
  void threadsAndWaitingAreForJobs() {
    noClasses()
        .that()
        .resideOutsideOfPackage("agentsessions.jobs..")
        .and(
            not(
                belongToAnyOf(
                    Retries.class, ParallelCalls.class, ChangeSignal.class, LargeReads.class)))
        // Whoever asks for the same read waits for the first.
        .and(not(simpleName("SharedReads")))
        .should()
        .dependOnClassesThat(
            belongToAnyOf(Thread.class, LockSupport.class, Executor.class)
                .or(assignableTo(Executor.class)))
        .check(SERVICE);
  }

  /// What is drawn before a snapshot is the same in all its copies, and so is what follows by a
  /// generator that it holds.
  @Test
  void noSnapshotHoldsARandomNumberGenerator() {
    noFields().should().haveRawType(assignableTo(RandomGenerator.class)).check(SERVICE);
    noClasses()
        .should()
        .dependOnClassesThat(belongToAnyOf(ThreadLocalRandom.class, SplittableRandom.class))
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

  /// `session` is a session; its key is `key`, or `sessionKey` as a part of something else.
  @Test
  void aKeyIsNotNamedAfterWhatItIsOf() {
    methods()
        .that()
        .haveRawReturnType(SessionKey.class)
        .should()
        .haveNameNotMatching("session")
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
