package agentsessions;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

/// The visibility rules between the rooms of the proof: `contract | chaos | agents | stack |
/// template | scripts` stand side by side and none sees another; all may see `talk`; `bench` runs
/// the experiments of `chaos` at full size, and no room needs `bench`. Most rooms see the product
/// from outside only.
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
    "agentsessions.wire..",
    "agentsessions.rule..",
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
        .haveNameNotMatching("agentsessions.contract.Target(\\$.*)?") // starts the service
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
