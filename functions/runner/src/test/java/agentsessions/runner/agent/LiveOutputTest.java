package agentsessions.runner.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What is shown of an agent's output before its reply.
class LiveOutputTest {
  private final BlockingQueue<String> shown = new LinkedBlockingQueue<>();
  private final LiveOutput output = new LiveOutput(event -> shown.add(event.text()), Mask.NONE);

  @AfterEach
  void close() {
    output.close();
  }

  @Test
  void theLastLineIsHeldBackUntilAnotherFollows() throws Exception {
    print("one", "two");
    assertEquals("one\n", shown.poll(20, TimeUnit.SECONDS));
    print("three");
    assertEquals("two\n", shown.poll(20, TimeUnit.SECONDS));
  }

  /// A line after silence does not wait for the pause that the next ones share, here of an hour.
  @Test
  void theFirstLineIsShownAtOnceAndTheNextTogether() throws Exception {
    CountDownLatch pausing = new CountDownLatch(1);
    LongUnaryOperator hour =
        _ -> {
          pausing.countDown();
          return 3600;
        };
    try (LiveOutput slow = new LiveOutput(event -> shown.add(event.text()), Mask.NONE, hour)) {
      print(slow, "one", "two");
      assertEquals("one\n", shown.poll(20, TimeUnit.SECONDS));
      assertTrue(pausing.await(20, TimeUnit.SECONDS), "it goes on at once");
      print(slow, "three", "four");
      slow.flush();
      assertEquals("two\nthree\nfour\n", shown.poll());
    }
  }

  /// The reply is trimmed: blank lines at its end must not be shown without a line behind them.
  @Test
  void blankLinesAreHeldBackWithTheLineBeforeThem() throws Exception {
    print("one", "two", "", " ");
    assertEquals("one\n", shown.poll(20, TimeUnit.SECONDS));
    print("three");
    assertEquals("two\n\n\n", shown.poll(20, TimeUnit.SECONDS));
  }

  @Test
  void whatNoReplyWillHoldIsSaidAtTheEnd() {
    print("one", "two", "");
    output.close();
    output.flush();
    assertEquals("one\ntwo\n\n", String.join("", shown));
  }

  @Test
  void linesThatDoNotFitAreCounted() {
    print("one", "x".repeat(20_000), "two");
    output.close();
    output.flush();
    assertEquals("one\ntwo\n[1 more lines]\n", String.join("", shown));
  }

  private void print(String... lines) {
    print(output, lines);
  }

  private static void print(LiveOutput output, String... lines) {
    List.of(lines).forEach(line -> output.accept(line.getBytes(StandardCharsets.UTF_8)));
  }
}
