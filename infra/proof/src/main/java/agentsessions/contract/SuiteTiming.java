package agentsessions.contract;

import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.talk.Await;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/// The waiting times of the suite: the polling interval, the longest wait, and all helpers that let
/// time pass.
public final class SuiteTiming {
  /// Longer for a deployment, which may have to start functions first, and whose sweeps come once a
  /// minute.
  public static final Duration LIMIT = Duration.ofSeconds(Target.makesKeys() ? 120 : 180);

  /// A key that others use, too, allows less than two polls a second.
  public static final Duration PERIOD = Duration.ofMillis(Target.makesKeys() ? 250 : 1000);

  /// A command that runs long enough to be seen running, even by slow polls.
  public static final String A_WHILE = "sleep " + (Target.makesKeys() ? 5 : 15);

  /// The largest difference between the clocks of a deployment and of this machine.
  private static final Duration CLOCKS = Duration.ofMinutes(2);

  private SuiteTiming() {}

  /// Repeats a question until it has an answer.
  public static <T> T until(String what, Supplier<Optional<T>> question) {
    return Await.await(what, LIMIT, PERIOD).until(question::get, Optional::isPresent).orElseThrow();
  }

  /// The answer to a request, checked to have a time in this field that is `life` ahead of now.
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
