package agentsessions;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

/// The rooms of the proof stand side by side, `contract | chaos | agents | stack | template |
/// scripts`: none sees another, but `bench`, which runs what `chaos` has at full size; all may see
/// `talk`. Most of them see the product from outside only.
class RoomsTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .importPackages(
              "agentsessions.contract",
              "agentsessions.chaos",
              "agentsessions.bench",
              "agentsessions.agents",
              "agentsessions.stack",
              "agentsessions.template",
              "agentsessions.scripts",
              "agentsessions.talk");

  private static final String[] INSIDE = {
    "agentsessions.lambda..",
    "agentsessions.api..",
    "agentsessions.protocol..",
    "agentsessions.turn..",
    "agentsessions.aws..",
    "agentsessions.session..",
    "agentsessions.authorizer..",
    "agentsessions.local.."
  };

  @Test
  void noRoomSeesAnother() {
    slices()
        .matching("agentsessions.(contract|chaos|agents|stack|template|scripts)..")
        .should()
        .notDependOnEachOther()
        .check(CLASSES);
  }

  @Test
  void nobodyNeedsTheBench() {
    noClasses()
        .that()
        .resideOutsideOfPackage("agentsessions.bench..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("agentsessions.bench..")
        .check(CLASSES);
  }

  @Test
  void shelvesMakeNoCircle() {
    slices().matching("agentsessions.(**)").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void theContractSuiteSpeaksOnlyHttp() {
    noClasses()
        .that()
        .resideInAPackage("agentsessions.contract..")
        .and()
        .haveNameNotMatching("agentsessions.contract.Target(\\$.*)?") // starts what is tested
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(INSIDE)
        .check(CLASSES);
  }

  @Test
  void whatTestsAStackOrTalksKnowsNothingOfTheServicesInside() {
    noClasses()
        .that()
        .resideInAnyPackage("agentsessions.stack..", "agentsessions.talk..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(INSIDE)
        .check(CLASSES);
  }
}
