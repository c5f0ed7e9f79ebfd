package agentsessions.turn.exploration;

import agentsessions.session.Engine;
import agentsessions.session.repository.PushJob;
import agentsessions.session.request.Decision;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/// A scenario: the actors of a world, the behaviour of its executions, and how often time may jump
/// past every lease.
record Scenario(String name, World.Machine machine, int jumps, Consumer<World> actors) {
  private static final World.Machine FAILS = new World.Machine(0, true, Engine.LAMBDA, false);
  private static final World.Machine SILENT = new World.Machine(0, false, Engine.LAMBDA, false);
  private static final World.Machine RETRIES = new World.Machine(1, true, Engine.LAMBDA, false);
  private static final World.Machine TASKS = new World.Machine(0, false, Engine.FARGATE, false);

  private static final World.Machine STAYS = new World.Machine(1, false, Engine.LAMBDA, true);

  static final List<Scenario> ALL =
      List.of(
          new Scenario(
              "a follow-up while a turn runs",
              FAILS,
              0,
              world -> {
                world.begin();
                world.clients.followUp("follow-up", "and then", null);
              }),
          new Scenario(
              "a follow-up that waits",
              FAILS,
              1,
              world -> {
                world.begin();
                world.clients.queue("follow-up", "and then", null);
                world.sweeps(1);
              }),
          new Scenario(
              "two follow-ups that wait",
              STAYS,
              0,
              world -> {
                world.begin();
                world.scheduler.calmUntil(Step.EVENTS);
                world.clients.queue("follow-up 1", "one", null);
                world.clients.queue("follow-up 2", "two", null);
              }),
          new Scenario(
              "a follow-up that waits and one that does not",
              SILENT,
              1,
              world -> {
                world.begin();
                world.clients.queue("follow-up 1", "one", null);
                world.clients.followUp("follow-up 2", "two", null);
                world.sweeps(1);
              }),
          new Scenario(
              "a follow-up that waits is cancelled",
              SILENT,
              0,
              world -> {
                world.begin();
                world.clients.queue("follow-up 1", "one", null);
                world.clients.queue("follow-up 2", "two", null);
                world.clients.unqueue();
                world.clients.cancelRunning();
              }),
          new Scenario(
              "cancel and delete while a follow-up waits",
              SILENT,
              0,
              world -> {
                world.begin();
                world.clients.queue("follow-up", "and then", null);
                world.clients.cancel();
                world.clients.delete();
                world.sweeps(3);
              }),
          new Scenario(
              "archive while a follow-up waits",
              SILENT,
              0,
              world -> {
                world.begin();
                world.scheduler.calmUntil(Step.CLAIM);
                world.clients.archive();
                world.clients.queue("follow-up", "and then", null);
              }),
          new Scenario(
              "two follow-ups at once",
              SILENT,
              0,
              world -> {
                world.begin();
                world.clients.followUp("follow-up 1", "one", null);
                world.clients.followUp("follow-up 2", "two", null);
              }),
          new Scenario(
              "a follow-up that is sent twice",
              SILENT,
              0,
              world -> {
                world.begin();
                world.clients.followUp("follow-up", "and then", "key");
                world.clients.followUp("its repeat", "and then", "key");
              }),
          new Scenario(
              "a create that is sent twice",
              SILENT,
              0,
              world -> {
                world.clients.create("hello", "key");
                world.clients.create("hello", "key");
              }),
          new Scenario(
              "cancel and follow-up",
              SILENT,
              0,
              world -> {
                world.begin();
                world.clients.cancel();
                world.clients.followUp("follow-up", "and then", null);
              }),
          new Scenario(
              "delete after a follow-up",
              SILENT,
              1,
              world -> {
                world.begin();
                world.clients.followUp("follow-up", "and then", null);
                world.clients.delete();
                world.sweeps(2);
              }),
          new Scenario(
              "Step Functions tries again",
              RETRIES,
              1,
              world -> {
                world.begin();
                world.sweeps(1);
              }),
          new Scenario(
              "lost starts and dead runners",
              SILENT,
              2,
              world -> {
                world.begin();
                world.sweeps(2);
              }),
          new Scenario(
              "a sandbox that is not let go",
              SILENT,
              1,
              world -> {
                world.begin();
                world.clients.followUp("follow-up", "and then", null);
                world.sweeps(1);
              }),
          new Scenario(
              "delete, cancel and archive",
              SILENT,
              0,
              world -> {
                world.begin();
                world.clients.archive();
                world.clients.cancel();
                world.clients.delete();
                world.sweeps(3);
              }),
          new Scenario(
              "archive and follow-up",
              SILENT,
              0,
              world -> {
                world.begin();
                world.clients.archive();
                world.clients.followUp("follow-up", "and then", null);
              }),
          new Scenario(
              "cancel while a runner works",
              SILENT,
              1,
              world -> {
                world.begin();
                world.scheduler.calmUntil(Step.CLAIM);
                world.clients.cancel();
                world.sweeps(1);
              }),
          new Scenario(
              "an attempt that comes late",
              RETRIES,
              1,
              world -> {
                world.begin();
                world.scheduler.calmUntil(Step.LAUNCH);
              }),
          new Scenario(
              "a sweep while an agent begins",
              RETRIES,
              1,
              world -> {
                world.begin();
                world.scheduler.calmUntil(Step.CLAIM);
                world.sweeps(1);
              }),
          new Scenario(
              "two attempts of one turn",
              RETRIES,
              1,
              world -> {
                world.begin();
                world.scheduler.calmUntil(Step.CLAIM);
              }),
          new Scenario(
              "a sweep while an agent works",
              SILENT,
              2,
              world -> {
                world.begin();
                world.slowAgents();
                world.scheduler.calmUntil(Step.EVENTS);
                world.sweeps(1);
              }),
          new Scenario(
              "a late renewal",
              SILENT,
              1,
              world -> {
                world.begin();
                world.scheduler.calmUntil(Step.RENEW);
                world.clients.followUp("follow-up", "and then", null);
              }),
          new Scenario(
              "a sandbox that arrives late",
              SILENT,
              1,
              world -> {
                world.begin();
                world.scheduler.calmUntil(Step.OPEN);
                world.sweeps(1);
                world.clients.followUp("follow-up", "and then", null);
              }),
          new Scenario(
              "a late release",
              SILENT,
              1,
              world -> {
                world.begin();
                world.scheduler.calmUntil(Step.END);
                world.clients.followUp("follow-up", "and then", null);
              }),
          new Scenario(
              "a sandbox that is let go with the result",
              STAYS,
              1,
              world -> {
                world.begin();
                world.scheduler.calmUntil(Step.EVENTS);
                world.sweeps(1);
                world.clients.followUp("follow-up", "and then", null);
              }),
          new Scenario(
              "a follow-up while a result lets go",
              STAYS,
              0,
              world -> {
                world.begin();
                world.scheduler.calmUntil(Step.RENEW);
                world.clients.followUp("follow-up 1", "one", null);
                world.clients.followUp("follow-up 2", "two", null);
              }),
          new Scenario(
              "two dispatches of one turn",
              SILENT,
              1,
              world -> {
                world.begin();
                world.scheduler.calmUntil(Step.LAUNCH);
                world.sweeps(2);
              }),
          new Scenario(
              "two follow-ups after a turn",
              SILENT,
              1,
              world -> {
                world.begin();
                world.scheduler.calmUntil(Step.RELEASE);
                world.clients.followUp("follow-up 1", "one", null);
                world.clients.followUp("follow-up 2", "two", "key");
                world.clients.followUp("its repeat", "two", "key");
              }),
          new Scenario(
              "permissions change at a follow-up after a turn",
              SILENT,
              0,
              world -> {
                world.begin();
                world.scheduler.calmUntil(Step.RELEASE);
                world.clients.deny("Bash");
                world.clients.deny("Edit");
                world.clients.followUp("follow-up", "and then", null);
              }),
          new Scenario(
              "permissions change while a follow-up waits",
              STAYS,
              0,
              world -> {
                world.begin();
                world.scheduler.calmUntil(Step.EVENTS);
                world.clients.queue("follow-up", "and then", null);
                world.clients.deny("Bash");
                world.clients.deny("Edit");
              }),
          new Scenario(
              "delete and follow-up after a turn",
              SILENT,
              0,
              world -> {
                world.begin();
                world.scheduler.calmUntil(Step.RELEASE);
                world.clients.followUp("follow-up", "and then", null);
                world.clients.delete();
              }),
          new Scenario(
              "two deletes",
              SILENT,
              0,
              world -> {
                world.begin();
                world.clients.delete();
                world.clients.delete();
                world.sweeps(3);
              }),
          new Scenario(
              "two decide on a plan",
              STAYS,
              1,
              world -> {
                world.beginPlanning();
                world.scheduler.calmUntil(Step.EVENTS);
                world.clients.decide("allow", Decision.Word.ALLOW);
                world.clients.decide("deny", Decision.Word.DENY);
                world.sweeps(1);
              }),
          new Scenario(
              "a follow-up and a delete while a plan waits",
              STAYS,
              0,
              world -> {
                world.beginPlanning();
                world.scheduler.calmUntil(Step.EVENTS);
                world.clients.decide("allow", Decision.Word.ALLOW);
                world.clients.followUp("follow-up", "and then", null);
                world.clients.delete();
              }),
          new Scenario(
              "a follow-up waits for a turn that plans",
              STAYS,
              0,
              world -> {
                world.beginPlanning();
                world.scheduler.calmUntil(Step.EVENTS);
                world.clients.queue("follow-up", "and then", null);
                world.clients.decide("deny", Decision.Word.DENY);
              }),
          new Scenario(
              "two decide while an agent waits",
              SILENT,
              1,
              world -> {
                world.begin();
                world.askingAgents();
                world.scheduler.calmUntil(Step.EVENTS);
                world.clients.decide("allow", Decision.Word.ALLOW_SESSION);
                world.clients.decide("deny", Decision.Word.DENY);
                world.sweeps(1);
              }),
          new Scenario(
              "a follow-up while an agent waits",
              STAYS,
              0,
              world -> {
                world.begin();
                world.askingAgents();
                world.scheduler.calmUntil(Step.EVENTS);
                world.clients.decide("allow", Decision.Word.ALLOW);
                world.clients.followUp("follow-up", "and then", null);
              }),
          new Scenario(
              "cancel and delete while an agent waits",
              SILENT,
              0,
              world -> {
                world.begin();
                world.askingAgents();
                world.scheduler.calmUntil(Step.EVENTS);
                world.clients.decide("allow", Decision.Word.ALLOW);
                world.clients.cancel();
                world.clients.delete();
                world.sweeps(2);
              }),
          new Scenario(
              "a follow-up while a task waits",
              TASKS,
              1,
              world -> {
                world.begin();
                world.scheduler.calmUntil(Step.RELEASE);
                world.clients.followUp("follow-up", "and then", null);
                world.sweeps(1);
              }),
          new Scenario(
              "a follow-up while a task is to wait",
              TASKS,
              0,
              world -> {
                world.begin();
                world.scheduler.calmUntil(Step.COMPLETE);
                world.clients.followUp("follow-up", "and then", null);
              }),
          new Scenario(
              "two follow-ups while a task waits",
              TASKS,
              0,
              world -> {
                world.begin();
                world.scheduler.calmUntil(Step.RELEASE);
                world.clients.followUp("follow-up 1", "one", null);
                world.clients.followUp("follow-up 2", "two", null);
              }),
          new Scenario(
              "cancel and delete while a task waits",
              TASKS,
              0,
              world -> {
                world.begin();
                world.scheduler.calmUntil(Step.RELEASE);
                world.clients.followUp("follow-up", "and then", null);
                world.clients.cancel();
                world.clients.delete();
                world.sweeps(3);
              }),
          new Scenario(
              "two decide while a turn is parked",
              FAILS,
              1,
              world -> {
                world.begin();
                world.parkingAgents();
                world.scheduler.calmUntil(Step.EVENTS);
                world.clients.decide("allow", Decision.Word.ALLOW);
                world.clients.decide("deny", Decision.Word.DENY);
                world.sweeps(1);
              }),
          new Scenario(
              "a follow-up while a turn is parked",
              STAYS,
              0,
              world -> {
                world.begin();
                world.parkingAgents();
                world.scheduler.calmUntil(Step.EVENTS);
                world.clients.decide("allow", Decision.Word.ALLOW);
                world.clients.followUp("follow-up", "and then", null);
              }),
          new Scenario(
              "a follow-up waits while a turn is parked",
              SILENT,
              0,
              world -> {
                world.begin();
                world.parkingAgents();
                world.scheduler.calmUntil(Step.EVENTS);
                world.clients.decide("deny", Decision.Word.DENY);
                world.clients.queue("follow-up", "and then", null);
                world.sweeps(1);
              }),
          new Scenario(
              "cancel and delete while a turn is parked",
              SILENT,
              0,
              world -> {
                world.begin();
                world.parkingAgents();
                world.scheduler.calmUntil(Step.EVENTS);
                world.clients.decide("allow", Decision.Word.ALLOW);
                world.clients.cancel();
                world.clients.delete();
                world.sweeps(3);
              }),
          new Scenario(
              "a follow-up while a pull request is made",
              STAYS,
              0,
              world -> {
                world.beginChanging();
                world.scheduler.calmUntil(Step.END);
                world.clients.pullRequest("pull request", null);
                world.clients.followUp("follow-up", "and then", null);
              }),
          new Scenario(
              "a follow-up waits while a pull request is made",
              SILENT,
              1,
              world -> {
                world.beginChanging();
                world.scheduler.calmUntil(Step.RELEASE);
                world.clients.pullRequest("pull request", null);
                world.clients.queue("follow-up", "and then", null);
                world.sweeps(1);
              }),
          new Scenario(
              "a follow-up that waits for a pull request is cancelled",
              STAYS,
              0,
              world -> {
                world.beginChanging();
                world.scheduler.calmUntil(Step.END);
                world.clients.pullRequest("pull request", null);
                world.clients.queue("follow-up", "and then", null);
                world.clients.cancel();
              }),
          new Scenario(
              "two pull requests",
              STAYS,
              0,
              world -> {
                world.beginChanging();
                world.scheduler.calmUntil(Step.END);
                world.clients.pullRequest("pull request 1", null);
                world.clients.pullRequest("pull request 2", "key");
                world.clients.pullRequest("its repeat", "key");
              }),
          new Scenario(
              "a turn is cancelled before a pull request is made",
              SILENT,
              1,
              world -> {
                world.beginChanging();
                world.scheduler.calmUntil(Step.RELEASE);
                world.clients.followUp("follow-up", "and then", null);
                world.clients.cancel();
                world.clients.pullRequest("pull request", null);
                world.sweeps(1);
              }),
          new Scenario(
              "delete while a pull request is made",
              SILENT,
              0,
              world -> {
                world.beginChanging();
                world.scheduler.calmUntil(Step.RELEASE);
                world.clients.pullRequest("pull request", null);
                world.clients.delete();
                world.sweeps(3);
              }),
          new Scenario(
              "a task that waits makes a pull request",
              TASKS,
              0,
              world -> {
                world.beginChanging();
                world.scheduler.calmUntil(Step.RELEASE);
                world.clients.pullRequest("pull request", null);
                world.clients.followUp("follow-up", "and then", null);
              }),
          new Scenario(
              "a pull request whose runner is lost",
              RETRIES,
              2,
              world -> {
                world.beginChanging();
                world.scheduler.calmUntil(Step.RELEASE);
                world.clients.pullRequest("pull request", null);
                world.sweeps(2);
              }),
          new Scenario(
              "a pull request that takes too long",
              FAILS,
              2,
              world -> {
                world.jumpBy(PushJob.LONGEST.plusSeconds(1));
                world.beginChanging();
                world.scheduler.calmUntil(Step.RELEASE);
                world.clients.pullRequest("pull request", null);
                world.sweeps(2);
              }),
          new Scenario(
              "two decide on a push",
              STAYS,
              1,
              world -> {
                world.beginAsking(true);
                world.scheduler.calmUntil(Step.EVENTS);
                world.clients.decide("allow", Decision.Word.ALLOW);
                world.clients.decide("deny", Decision.Word.DENY);
                world.sweeps(1);
              }),
          new Scenario(
              "permissions change at a decision on a push",
              STAYS,
              0,
              world -> {
                world.beginAsking(true);
                world.scheduler.calmUntil(Step.END);
                world.clients.decide("allow", Decision.Word.ALLOW);
                world.clients.deny("Bash");
              }),
          new Scenario(
              "a decision on a push that expires",
              STAYS,
              1,
              world -> {
                world.jumpBy(Duration.ofDays(1));
                world.beginAsking(true);
                world.scheduler.calmUntil(Step.END);
                world.clients.decide("allow", Decision.Word.ALLOW);
                world.clients.followUp("follow-up", "and then", null);
                world.sweeps(1);
              }),
          new Scenario(
              "a follow-up and a delete while a push waits",
              STAYS,
              0,
              world -> {
                world.beginAsking(true);
                world.scheduler.calmUntil(Step.END);
                world.clients.decide("allow", Decision.Word.ALLOW_SESSION);
                world.clients.followUp("follow-up", "and then", null);
                world.clients.delete();
              }),
          new Scenario(
              "a follow-up waits while a pull request asks",
              STAYS,
              0,
              world -> {
                world.beginAsking(false);
                world.scheduler.calmUntil(Step.END);
                world.clients.pullRequest("pull request", null);
                world.clients.queue("follow-up", "and then", null);
                world.clients.decide("allow", Decision.Word.ALLOW);
              }),
          new Scenario(
              "delete while a pull request asks",
              STAYS,
              0,
              world -> {
                world.beginAsking(false);
                world.scheduler.calmUntil(Step.END);
                world.clients.pullRequest("pull request", null);
                world.clients.delete();
              }));

  static Scenario named(String name) {
    return ALL.stream()
        .filter(scenario -> scenario.name.equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(name));
  }

  @Override
  public String toString() {
    return name;
  }
}
