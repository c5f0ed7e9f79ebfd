package agentsessions.runner.usage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.rule.Ceiling;
import agentsessions.rule.UsedTokens;
import agentsessions.runner.agent.Dialect;
import agentsessions.runner.agent.Mask;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The sum of the usage of a turn's calls.
class TurnUsageTest {
  private final TurnUsage usage =
      new TurnUsage(Mask.NONE, ModelBudget.of(List.of(), List.of(), 1000));

  @Test
  void callsOfOneModelAreAddedUp() {
    ask("five", Streams.RESPONSES.events());
    ask("five", Streams.RESPONSES_FAILED.events());
    ask("other-one", Streams.RESPONSES.events());
    TurnUsage.Sum sum = usage.sum();
    assertEquals(3, sum.requests());
    assertEquals(Map.of("five", 2L, "other-one", 1L), sum.calls());
    assertTrue(sum.complete());
    UsedTokens both = Streams.RESPONSES.tokens().plus(Streams.RESPONSES_FAILED.tokens());
    assertEquals(Map.of("five", both, "other-one", Streams.RESPONSES.tokens()), sum.models());
    assertEquals(both.plus(Streams.RESPONSES.tokens()), sum.estimate());
  }

  /// The figures of the earlier runners of a parked turn; a ceiling counts them, too.
  @Test
  void whatWasUsedBeforeGoesOn() {
    ModelBudget budget =
        ModelBudget.of(
            List.of(new Ceiling(Ceiling.Scope.TURN, Ceiling.Unit.REQUESTS, 3, 0)), List.of(), 1000);
    TurnUsage before = new TurnUsage(Mask.NONE, ModelBudget.of(List.of(), List.of(), 1000));
    TurnUsage first = usage;
    ask("five", Streams.RESPONSES.events());
    ask("other-one", Streams.RESPONSES.events());
    assertEquals(first.report(), before.after(first.report()).report());
    TurnUsage next = new TurnUsage(Mask.NONE, budget).after(first.report());
    assertEquals(first.sum().models(), next.sum().models());
    assertTrue(budget.refusal().isEmpty());
    assertTrue(budget.refusal().isPresent(), "two before, and one now");
  }

  @Test
  void callUnderWayCountsAsFarAsItHasCome() {
    ModelCall call = asked("five");
    call.begun(200, null);
    call.answers(bytes(Streams.RESPONSES.events()));
    assertEquals(Map.of("five", Streams.RESPONSES.tokens()), usage.sum().models());
    assertTrue(usage.sum().complete());
    usage.end(call);
    usage.end(call);
    assertEquals(1, usage.sum().requests());
  }

  @Test
  void cutAnswerCountsWhatItSaidAndIsGuessedForCeilings() {
    ModelCall call = asked("five");
    call.begun(200, null);
    call.answers(bytes("data: {\"delta\":\"" + "x".repeat(400) + "\"}\n\n"));
    usage.end(call);
    TurnUsage.Sum sum = usage.sum();
    assertFalse(sum.complete());
    assertEquals(Map.of("five", UsedTokens.NONE), sum.models());
    assertEquals(new UsedTokens(request("five").length() / 4, 100, 0, 0, 0), sum.estimate());
  }

  @Test
  void refusalIsForNothingAndCompleteButACall() {
    ModelCall call = asked("five");
    call.begun(429, null);
    call.answers(bytes("{\"error\":{}}"));
    usage.end(call);
    assertEquals(1, usage.sum().requests());
    assertTrue(usage.sum().complete());
    assertEquals(UsedTokens.NONE, usage.sum().estimate());
  }

  @Test
  void callThatNeverCameToTheModelIsNone() {
    usage.end(usage.begin(Dialect.CHAT, "/x"));
    assertEquals(new TurnUsage.Sum(Map.of(), Map.of(), UsedTokens.NONE, true), usage.sum());
  }

  @Test
  void answerInACodingThatIsNotReadIsIncomplete() {
    ModelCall call = asked("five");
    call.begun(200, "br");
    call.answers(bytes(Streams.RESPONSES.events()));
    usage.end(call);
    assertFalse(usage.sum().complete());
  }

  @Test
  void geminisModelIsInThePath() {
    ModelCall call = usage.begin(Dialect.GEMINI, "/v1beta/models/pro:streamGenerateContent");
    String body = "{\"contents\":[],\"model\":\"other\"}";
    assertEquals("pro", call.model(body.getBytes(StandardCharsets.UTF_8)));
    call.asks(bytes(body));
    call.sent();
    call.begun(200, null);
    call.answers(bytes(Streams.GEMINI.events()));
    assertEquals(Map.of("pro", Streams.GEMINI.tokens()), usage.sum().models());
  }

  @Test
  void modelThatIsNotNamedInTheRequestIsTheOneThatAnswers() {
    ModelCall call = usage.begin(Dialect.RESPONSES, "/responses");
    call.sent();
    call.begun(200, null);
    call.answers(bytes(Streams.RESPONSES.events()));
    assertEquals(Map.of("five-b", Streams.RESPONSES.tokens()), usage.sum().models());
  }

  @Test
  void atMostEightModelsAreNamed() {
    for (int i = 0; i < 20; i++) {
      ask("model-" + i, Streams.RESPONSES.events());
    }
    ask("no name", Streams.RESPONSES.events());
    Map<String, UsedTokens> models = usage.sum().models();
    assertEquals(9, models.size());
    UsedTokens rest =
        Stream.generate(() -> Streams.RESPONSES.tokens())
            .limit(13)
            .reduce(UsedTokens.NONE, UsedTokens::plus);
    assertEquals(rest, models.get("other"));
  }

  private void ask(String model, String answer) {
    ModelCall call = asked(model);
    call.begun(200, "identity");
    call.answers(bytes(answer));
    usage.end(call);
  }

  private ModelCall asked(String model) {
    ModelCall call = usage.begin(Dialect.RESPONSES, "/responses");
    call.sent();
    call.asks(bytes(request(model)));
    return call;
  }

  private static String request(String model) {
    return "{\"input\":\"" + "x".repeat(4000) + "\",\"model\":\"%s\"}".formatted(model);
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }
}
