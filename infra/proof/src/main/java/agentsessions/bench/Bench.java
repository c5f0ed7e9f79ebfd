package agentsessions.bench;

import agentsessions.chaos.faults.Experiment;
import agentsessions.chaos.faults.Fault;
import agentsessions.chaos.faults.Faults;
import agentsessions.chaos.fuzz.FuzzAtLength;
import agentsessions.chaos.hostile.FullDisk;
import agentsessions.chaos.hostile.Hostile;
import agentsessions.chaos.kills.Kills;
import agentsessions.chaos.kills.RandomKills;
import agentsessions.chaos.kills.RequestKills;
import agentsessions.chaos.kills.TurnBoundary;
import agentsessions.chaos.races.ConcurrentRequests;
import agentsessions.chaos.races.LongHistory;
import agentsessions.chaos.races.Races;
import agentsessions.chaos.races.RequestRaces;
import agentsessions.chaos.rig.Rig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/// The program of `scripts/bench`: the large versions of the tests beside it, and the measurements.
/// Prints figures; exit code 1 if a promise was broken.
final class Bench {
  private Bench() {}

  /// Runs one experiment or measurement.
  ///
  /// @param arguments its name, and the number of repetitions
  public static void main(String[] arguments) throws Exception {
    String what = arguments[0];
    Path data = Files.createTempDirectory("agent-sessions-bench");
    int count = arguments.length > 1 ? Integer.parseInt(arguments[1]) : usual(what);
    System.out.printf("%s x %d, data in %s%n", what, count, data);
    List<String> broken =
        switch (what) {
          case "races" -> races(data, count);
          case "kills" -> kills(data, count);
          case "random-kills" -> randomKills(data, count, seed());
          case "request-kills" -> requestKills(data, count, seed());
          case "faults" -> faults(data, count);
          case "idempotency" -> idempotency(data, count);
          case "speed" -> Speed.run(data, count);
          case "start" -> StartTimes.run(data, count);
          case "fuzz" -> fuzz(count);
          case "hostile" -> hostile(data, count, seed());
          case "disk" -> disk(data);
          case "history" -> history(data, count);
          case "events" -> EventSpeed.run(data);
          case "decisions" -> DecisionSpeed.run(data);
          case "fairness" -> Fairness.run(data, count);
          case "webhooks" -> WebhookSpeed.run(data, count);
          case "cold" -> ColdStarts.run(data, count);
          default -> throw new IllegalArgumentException("unknown: " + what);
        };
    broken.forEach(System.out::println);
    System.exit(broken.isEmpty() ? 0 : 1);
  }

  private static int usual(String what) {
    return switch (what) {
      case "races", "history" -> 10_000;
      case "kills" -> 20;
      case "random-kills" -> 300;
      case "request-kills" -> 200;
      case "fuzz" -> 50_000;
      case "hostile" -> 600;
      case "webhooks" -> 3_000;
      case "fairness" -> 100;
      case "cold", "start" -> 5;
      default -> 1;
    };
  }

  /// The seed of `agentsessions.seed`, or a random one; it is printed, so that a run can be
  /// repeated.
  private static long seed() {
    long seed = Long.getLong("agentsessions.seed", ThreadLocalRandom.current().nextLong(1_000_000));
    System.out.println("seed " + seed);
    return seed;
  }

  /// One race in a hundred uses the real runner.
  private static List<String> races(Path data, int count) throws Exception {
    try (Rig rig = Rig.still(data)) {
      int real = Math.max(1, count / 100);
      long seed = System.nanoTime();
      System.out.println("seed " + seed);
      Races races = new Races(rig, seed).run(count - real, real);
      System.out.println(races.figures());
      RequestRaces requests = new RequestRaces(rig, seed).run(Math.max(1, count / 10));
      System.out.println(requests.figures());
      return Stream.of(races.violations(), requests.violations()).flatMap(List::stream).toList();
    }
  }

  private static List<String> kills(Path data, int count) throws Exception {
    Set<TurnBoundary> all = EnumSet.allOf(TurnBoundary.class);
    try (Kills kills = new Kills(data, true)) {
      for (int i = 0; i < count; i++) {
        kills.kill(Kills.Victim.RUNNER, all).kill(Kills.Victim.SERVICE, all);
        System.out.println(kills.figures());
      }
      return kills.failures();
    }
  }

  private static List<String> randomKills(Path data, int count, long seed) throws Exception {
    try (RandomKills kills = new RandomKills(data)) {
      List<String> failures = kills.run(count, seed).failures();
      System.out.println(kills.figures());
      return failures;
    }
  }

  private static List<String> requestKills(Path data, int count, long seed) throws Exception {
    try (RequestKills kills = new RequestKills(data)) {
      List<String> failures = kills.run(count, seed).failures();
      System.out.println(kills.figures());
      return failures;
    }
  }

  private static List<String> faults(Path data, int count) throws Exception {
    try (Rig rig = Rig.impatient(data)) {
      Faults faults = new Faults(rig);
      for (int i = 0; i < count; i++) {
        meet(faults, EnumSet.allOf(Fault.class), 1);
        // Four time-outs of S3 in a row outlast the retry budget: 503 is right then.
        meet(faults, EnumSet.complementOf(EnumSet.of(Fault.DONE_AND_TIMED_OUT)), 4);
        rig.letSweep(true);
        faults.meetOneByOne(Experiment.ofSweeps(), EnumSet.allOf(Fault.class), 1);
      }
      System.out.println(faults.figures());
      return faults.failures();
    }
  }

  private static void meet(Faults faults, EnumSet<Fault> which, int times) throws Exception {
    faults.meet(Experiment.ofClients(), which, times);
    faults.meet(Experiment.ofTurns(), which, times);
    System.out.println("in a row " + times + ": " + faults.figures());
  }

  private static List<String> idempotency(Path data, int count) throws Exception {
    try (Rig rig = Rig.still(data)) {
      ConcurrentRequests crowd = new ConcurrentRequests(rig);
      for (int i = 0; i < count; i++) {
        crowd.equalCreates(64);
        crowd.equalFollowUps(64);
        crowd.differentFollowUps(64);
      }
      return crowd.failures();
    }
  }

  private static List<String> history(Path data, int count) throws Exception {
    try (Rig rig = Rig.still(data)) {
      List<String> failures = new ArrayList<>(new LongHistory(rig).readBack(count, 1).failures());
      failures.addAll(new LongHistory(rig).follow(count).failures());
      return failures;
    }
  }

  /// @param count seconds to run
  private static List<String> hostile(Path data, int count, long seed) throws Exception {
    try (Hostile hostile = new Hostile(data, seed)) {
      return hostile.run(Duration.ofSeconds(count)).failures();
    }
  }

  /// Must run as root in a mount namespace of its own.
  private static List<String> disk(Path data) throws Exception {
    try (FullDisk disk = new FullDisk(data)) {
      return disk.run().failures();
    }
  }

  /// The same generator as the test, with a new seed each time.
  private static List<String> fuzz(int count) {
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request()
                .selectors(DiscoverySelectors.selectClass(FuzzAtLength.class))
                .configurationParameter("jqwik.tries.default", Integer.toString(count))
                .build(),
            listener);
    TestExecutionSummary summary = listener.getSummary();
    return summary.getTestsSucceededCount() == 1
        ? List.of()
        : summary.getFailures().stream().map(failure -> failure.getException().toString()).toList();
  }
}
