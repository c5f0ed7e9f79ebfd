package agentsessions.runner.usage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.rule.UsedTokens;
import agentsessions.runner.agent.Dialect;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// The usage that a response states is counted, wherever the response is cut.
class ModelUsageReaderTest {
  private static final String MEBIBYTE = "x".repeat(1 << 20);

  @ParameterizedTest
  @MethodSource("agentsessions.runner.usage.Streams#all")
  void streamedAnswerCountsWhatItSays(Streams stream) {
    for (String text : new String[] {stream.events(), stream.oddEvents()}) {
      ModelUsageReader answer = read(stream.dialect(), text);
      assertTrue(answer.isComplete());
      assertEquals(stream.tokens(), answer.tokens());
      assertEquals(Optional.of(stream.model()), answer.model());
    }
  }

  @ParameterizedTest
  @MethodSource("agentsessions.runner.usage.Streams#all")
  void answerThatIsCutAnywhereNeverCountsMoreAndIsCompleteOnlyWithAll(Streams stream) {
    byte[] whole = stream.events().getBytes(StandardCharsets.UTF_8);
    boolean wasComplete = false;
    for (int cut = 0; cut <= whole.length; cut++) {
      ModelUsageReader answer = read(stream.dialect(), Arrays.copyOf(whole, cut));
      UsedTokens reported = answer.tokens();
      assertTrue(reported.output() <= stream.tokens().output(), () -> stream + " " + reported);
      assertTrue(reported.total() <= stream.tokens().total(), () -> stream + " " + reported);
      assertFalse(wasComplete && !answer.isComplete(), "complete for good");
      wasComplete = answer.isComplete();
      if (wasComplete) {
        assertEquals(stream.tokens(), reported, stream + " cut at " + cut);
      }
    }
    assertTrue(wasComplete);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ANTHROPIC|{'model':'a','content':[{'type':'text','text':'Hi'}],'stop_reason':'end_turn','usage':{'input_tokens':5,'output_tokens':6,'cache_read_input_tokens':7,'cache_creation_input_tokens':8}}|5|6|7|8",
        "RESPONSES|{'object':'response','model':'a','status':'completed','usage':{'input_tokens':12,'input_tokens_details':{'cached_tokens':7},'output_tokens':6}}|5|6|7|0",
        "CHAT|{'model':'a','choices':[{'index':0,'finish_reason':'stop'}],'usage':{'prompt_tokens':12,'completion_tokens':6,'prompt_tokens_details':{'cached_tokens':7}}}|5|6|7|0",
        "GEMINI|{'candidates':[],'usageMetadata':{'promptTokenCount':12,'candidatesTokenCount':2,'thoughtsTokenCount':4,'cachedContentTokenCount':7},'modelVersion':'a'}|5|6|7|0",
      })
  void answerInOnePieceCounts(
      Dialect dialect, String body, long input, long output, long cached, long written) {
    String json = "\n " + body.replace('\'', '"');
    ModelUsageReader answer = read(dialect, json);
    answer.end();
    assertTrue(answer.isComplete());
    assertEquals(new UsedTokens(input, output, cached, written, 0), answer.tokens());
    ModelUsageReader cut = read(dialect, json.substring(0, json.length() - 1));
    cut.end();
    assertFalse(cut.isComplete());
  }

  @Test
  void arrayOfGeminiCounts() {
    ModelUsageReader answer = read(Dialect.GEMINI, Streams.GEMINI.array());
    answer.end();
    assertTrue(answer.isComplete());
    assertEquals(Streams.GEMINI.tokens(), answer.tokens());
  }

  @Test
  void answerWithoutFiguresIsIncomplete() {
    for (String text : new String[] {"", "{}", "[]", "<html>", "data: {}\n\n", "data: {]\n\n"}) {
      ModelUsageReader answer = read(Dialect.CHAT, text);
      answer.end();
      assertFalse(answer.isComplete(), text);
      assertEquals(UsedTokens.NONE, answer.tokens());
    }
  }

  @Test
  void figuresThatAreNoneAreBounded() {
    ModelUsageReader answer =
        read(
            Dialect.CHAT,
            "{\"usage\":{\"prompt_tokens\":-5,\"completion_tokens\":1e99,\"prompt_tokens_details\":{\"cached_tokens\":\"x\"}}}");
    assertEquals(new UsedTokens(0, 1L << 40, 0, 0, 0), answer.tokens());
  }

  @Test
  void brokenEventIsPassedOver() {
    ModelUsageReader answer = read(Dialect.CHAT, "data: {\"usage\":{\n\n" + Streams.CHAT.events());
    assertTrue(answer.isComplete());
    assertEquals(Streams.CHAT.tokens(), answer.tokens());
  }

  @Test
  void longTextsAreNotHeldButCount() {
    String text = "\\u00e9\\\"\\n" + MEBIBYTE + "é".repeat(1000);
    ModelUsageReader answer =
        read(
            Dialect.RESPONSES,
            "data: {\"delta\":\"" + text + "\"}\n\n" + Streams.RESPONSES.events());
    assertEquals(Streams.RESPONSES.tokens(), answer.tokens());
    assertTrue(answer.text() > 1 << 20, () -> "" + answer.text());
  }

  @Test
  void eventOfMoreThanSixteenMebibytesIsNotLookedAt() {
    String large = "data: {\"x\":\"" + MEBIBYTE.repeat(16) + "\",";
    String last = Streams.RESPONSES_FAILED.events().substring("data: {".length());
    assertFalse(read(Dialect.RESPONSES, large + last).isComplete());
    assertTrue(read(Dialect.RESPONSES, large + last + Streams.RESPONSES.events()).isComplete());
  }

  private static ModelUsageReader read(Dialect dialect, String text) {
    return read(dialect, text.getBytes(StandardCharsets.UTF_8));
  }

  private static ModelUsageReader read(Dialect dialect, byte[] bytes) {
    ModelUsageReader answer = new ModelUsageReader(dialect);
    for (byte next : bytes) {
      answer.accept(next);
    }
    return answer;
  }
}
