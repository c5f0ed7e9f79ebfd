package agentsessions.contract;

import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.talk.Await;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/// How fast the suite asks, and for how long: the only place of it where time passes.
public final class Pace {
  /// A deployment may have to start functions first, and sweeps once a minute.
  public static final Duration LIMIT = Duration.ofSeconds(Target.makesKeys() ? 60 : 180);

  /// A key that others use too has requests to spare for less than two polls a second.
  public static final Duration PERIOD = Duration.ofMillis(Target.makesKeys() ? 250 : 1000);

  /// A command that takes long enough to be seen at work, however slow the polls.
  public static final String A_WHILE = "sleep " + (Target.makesKeys() ? 2 : 15);

  /// So much may the clocks of a deployment and of this machine differ.
  private static final Duration CLOCKS = Duration.ofMinutes(2);

  private Pace() {}

  /// The first thing that a question is answered with.
  public static <T> T until(String what, Supplier<Optional<T>> question) {
    return Await.await(what, LIMIT, PERIOD).until(question::get, Optional::isPresent).orElseThrow();
  }

  /// What was asked for, which says in a field the time that is so far ahead while it is asked for.
  public static JsonNode ahead(Duration life, String field, Supplier<JsonNode> question) {
    Instant earliest = Instant.now().plus(life).minus(CLOCKS);
    JsonNode answer = question.get();
    Instant latest = Instant.now().plus(life).plus(CLOCKS);
    Instant said = Instant.parse(answer.path(field).asText());
    assertTrue(said.isAfter(earliest) && said.isBefore(latest), answer::toString);
    return answer;
  }

  public static void pause(Duration time) {
    Instant end = Instant.now().plus(time);
    while (Instant.now().isBefore(end)) {
      LockSupport.parkNanos(Duration.between(Instant.now(), end).toNanos());
    }
  }
}
