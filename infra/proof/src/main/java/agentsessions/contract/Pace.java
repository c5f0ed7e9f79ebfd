package agentsessions.contract;

import agentsessions.talk.Await;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/// How fast the suite asks, and for how long: the only place of it where time passes.
final class Pace {
  /// A deployment may have to start functions first, and sweeps once a minute.
  static final Duration LIMIT = Duration.ofSeconds(Target.makesKeys() ? 60 : 180);

  /// A key that others use too has requests to spare for less than two polls a second.
  static final Duration PERIOD = Duration.ofMillis(Target.makesKeys() ? 250 : 1000);

  /// A command that takes long enough to be seen at work, however slow the polls.
  static final String A_WHILE = "sleep " + (Target.makesKeys() ? 2 : 15);

  private Pace() {}

  /// The first thing that a question is answered with.
  static <T> T until(String what, Supplier<Optional<T>> question) {
    return Await.await(what, LIMIT, PERIOD).until(question::get, Optional::isPresent).orElseThrow();
  }

  static void pause(Duration time) {
    Instant end = Instant.now().plus(time);
    while (Instant.now().isBefore(end)) {
      LockSupport.parkNanos(Duration.between(Instant.now(), end).toNanos());
    }
  }
}
