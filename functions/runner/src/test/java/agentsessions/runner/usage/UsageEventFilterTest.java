package agentsessions.runner.usage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.runner.agent.Dialect;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// An agent that did not ask for the usage sees its stream without it, and else as it is.
class UsageEventFilterTest {
  private static final String WITH = ": hello\n\n" + Streams.CHAT.events();
  private static final String WITHOUT =
      WITH.replaceFirst("data: [^\n]*\"choices\":\\[\\],[^\n]*\n\n", "");

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 64, 100, 1000, 100_000})
  void onlyTheEventWithTheUsageIsLeftOut(int piece) {
    assertTrue(WITHOUT.length() < WITH.length());
    ModelUsageReader answer = new ModelUsageReader(Dialect.CHAT);
    assertEquals(WITHOUT, seen(answer, WITH, piece));
    assertTrue(answer.isComplete());
    assertEquals(Streams.CHAT.tokens(), answer.tokens());
  }

  @Test
  void usageBesideAChoiceIsLeftIn() {
    String stream = Streams.CHAT_GROWING.events();
    assertEquals(stream, seen(new ModelUsageReader(Dialect.CHAT), stream, 10));
  }

  @Test
  void eventIsPassedOnBeforeItsEnd() {
    UsageEventFilter event = new UsageEventFilter(new ModelUsageReader(Dialect.CHAT));
    String begun = "data: {\"choices\":[{\"delta\":{\"content\":\"He";
    assertEquals(begun, text(event.without(bytes(begun))));
  }

  @Test
  void whatIsNoStreamIsLeftAsItIs() {
    for (String text : new String[] {"{\"usage\":{\"prompt_tokens\":1}}", "data: {\"us", "", "x"}) {
      assertEquals(text, seen(new ModelUsageReader(Dialect.CHAT), text, 1));
    }
  }

  @Test
  void largeEventIsNotHeld() {
    String large = "data: {\"x\":\"" + "x".repeat(100_000) + "\"";
    String usage = ",\"usage\":{\"prompt_tokens\":1}}\n\n";
    assertEquals(large + usage, seen(new ModelUsageReader(Dialect.CHAT), large + usage, 1000));
  }

  private static String seen(ModelUsageReader answer, String text, int piece) {
    UsageEventFilter event = new UsageEventFilter(answer);
    byte[] all = text.getBytes(StandardCharsets.UTF_8);
    StringBuilder seen = new StringBuilder();
    for (int from = 0; from < all.length; from += piece) {
      int length = Math.min(piece, all.length - from);
      seen.append(text(event.without(ByteBuffer.wrap(all, from, length))));
    }
    return seen.append(text(event.rest())).toString();
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String text(ByteBuffer bytes) {
    return StandardCharsets.UTF_8.decode(bytes).toString();
  }
}
