package agentsessions.chaos.kills;

import agentsessions.chaos.rig.ServicePart;
import agentsessions.chaos.rig.SupervisedService;
import agentsessions.talk.Await;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/// Kills parts of a service with `kill -9`, at random moments, and counts the kills by the
/// service's phase and the part.
final class Killer {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  /// The longest waits before a kill: while the service serves, and during a start, which takes
  /// about four seconds.
  private static final int SERVING_MILLIS = 2_500;

  private static final int START_MILLIS = 3_500;
  private static final int CHILD_MILLIS = 800;

  /// The database is drawn most often, since all else depends on it.
  private static final List<ServicePart> CHILDREN =
      List.of(ServicePart.DATABASE, ServicePart.DATABASE, ServicePart.PROBE, ServicePart.RUNNER);

  private static final List<ServicePart> ALL =
      Stream.concat(Stream.of(ServicePart.SERVICE), CHILDREN.stream()).toList();

  private final SupervisedService service;
  private final Map<String, Integer> kills = new TreeMap<>();

  Killer(SupervisedService service) {
    this.service = service;
  }

  /// Kills the database several times, perhaps a process of the runner, and then the service.
  void whileItServes(RandomGenerator random) {
    for (int i = 2 + random.nextInt(3); i > 0; i--) {
      pause(random, SERVING_MILLIS);
      kill(ServicePart.DATABASE);
    }
    pause(random, SERVING_MILLIS);
    kill(random.nextBoolean() ? ServicePart.RUNNER : ServicePart.DATABASE);
    pause(random, SERVING_MILLIS);
    kill(ServicePart.SERVICE);
  }

  /// Kills two parts, or one twice; the service itself once at most.
  void whileItStarts(RandomGenerator random) {
    ServicePart first = drawn(random, ALL);
    strike(first, random);
    boolean again = random.nextBoolean() && first != ServicePart.SERVICE;
    strike(again ? first : drawn(random, CHILDREN), random);
  }

  /// Kills the service, its children and its script at once.
  void all() {
    service.killAll();
    count("all at once");
  }

  int count() {
    return kills.values().stream().mapToInt(Integer::intValue).sum();
  }

  /// The numbers of kills, by phase and part.
  @Override
  public String toString() {
    return count() + " kills " + kills;
  }

  /// Kills this part a random time after it is there; the database if the part is gone by then.
  private void strike(ServicePart part, RandomGenerator random) {
    Await.await("a process: " + part, TIMEOUT, Duration.ofMillis(5))
        .until(() -> service.process(part).isPresent() || isTooLate(part));
    pause(random, part == ServicePart.SERVICE ? START_MILLIS : CHILD_MILLIS);
    kill(service.process(part).isPresent() ? part : ServicePart.DATABASE);
  }

  private boolean isTooLate(ServicePart part) {
    return service.hasEnded() || (part == ServicePart.PROBE && service.hasStarted());
  }

  private void kill(ServicePart part) {
    Optional<ProcessHandle> process = service.process(part);
    String phase = service.hasStarted() ? "serving" : "starting";
    String age = age();
    if (process.isPresent() && process.get().destroyForcibly()) {
      process.get().onExit().join();
      count(phase + ": " + part);
      System.out.printf("  %s: %s, %s after its service began%n", phase, part, age);
    }
  }

  private String age() {
    return service
        .begun()
        .map(begun -> Duration.between(begun, Instant.now()).toMillis() / 1e3 + " s")
        .orElse("unknown");
  }

  private void count(String what) {
    kills.merge(what, 1, Integer::sum);
  }

  private static ServicePart drawn(RandomGenerator random, List<ServicePart> parts) {
    return parts.get(random.nextInt(parts.size()));
  }

  static void pause(RandomGenerator random, int most) {
    LockSupport.parkNanos(Duration.ofMillis(random.nextInt(most)).toNanos());
  }
}
