package agentsessions.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.aws.InMemoryAws;
import agentsessions.rule.Question;
import agentsessions.session.Refusal;
import agentsessions.session.Turn;
import agentsessions.testing.SettableClock;
import agentsessions.turn.RunnerCredential;
import agentsessions.wire.RunnerMessages.DecisionRequest;
import agentsessions.wire.RunnerMessages.DecisionState;
import io.micronaut.json.JsonMapper;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a runner may ask people: whatever it sends, it is kept whole, or refused.
class AskedCallsTest {
  /// The most that the table keeps of one item.
  private static final int ITEM = 400 * 1024;

  /// What a decision adds at most: a note of 4,000 characters and answers of 16,000, of three bytes
  /// each, and the names of the questions.
  private static final int DECISION = 3 * (4_000 + 16_000 + Question.MOST * 200);

  private final InMemoryAws aws = InMemoryAws.of(new SettableClock());
  private final RunnerRequestsController requests =
      new RunnerRequestsController(
          aws.turns(), aws.heldTurns(), aws.requests(), aws.signal(), JsonMapper.createDefault());
  private final Turn turn = aws.accepted();
  private final RunnerCredential token = new RunnerCredential(turn.key(), "secret");

  AskedCallsTest() {
    aws.dispatches().recordLaunch(turn, "ticket", Duration.ofSeconds(45));
    aws.claim(turn, "ticket", "claim", 1000, token.hash(), Duration.ofHours(1));
  }

  @Test
  void theLongestInputIsKept() {
    assertEquals("pending", ask("execute", text(DecisionRequest.MOST_INPUT - 2), null).status());
    assertRefused("input", "execute", text(DecisionRequest.MOST_INPUT - 1), null);
  }

  /// Each character of these has three bytes.
  @ParameterizedTest
  @CsvSource({"65000, true", "65600, false"})
  void questionsAreBoundByTheirBytes(int characters, boolean taken) {
    List<Question> asked = List.of(question("1", "€".repeat(characters)));
    String input = text(Question.MOST_INPUT);
    if (taken) {
      assertEquals("pending", ask("other", input, asked).status());
      int kept = bytes(input) + bytes(asked.toString());
      assertTrue(kept + DECISION < ITEM, kept + " bytes");
    } else {
      assertRefused("questions", "other", input, asked);
    }
  }

  /// The answers name each question once more.
  @Test
  void aQuestionHasAShortNameOfItsOwn() {
    assertRefused("questions", "other", "{}", List.of(question("", "Why?")));
    assertRefused("questions", "other", "{}", List.of(question("x".repeat(201), "Why?")));
    assertRefused(
        "questions", "other", "{}", List.of(question("1", "Why?"), question("1", "How?")));
  }

  @Test
  void thereAreAtMostTwentyQuestions() {
    List<Question> many =
        IntStream.rangeClosed(0, Question.MOST)
            .mapToObj(number -> question("q" + number, "Why?"))
            .toList();
    assertRefused("questions", "other", "{}", many);
    assertEquals("pending", ask("other", "{}", many.subList(0, Question.MOST)).status());
  }

  /// A push is asked about by the end of a turn alone, and its decision holds against the agent.
  @Test
  void noCallIsOneOfAPush() {
    assertRefused("kind", "push", "{}", null);
  }

  private void assertRefused(
      String field, String kind, String input, @Nullable List<Question> questions) {
    Refusal refused = assertThrows(Refusal.class, () -> ask(kind, input, questions));
    assertEquals(Refusal.Code.VALIDATION, refused.code());
    assertTrue(String.valueOf(refused.getMessage()).startsWith(field), refused::toString);
  }

  private DecisionState ask(String kind, String input, @Nullable List<Question> questions) {
    return requests.ask(
        "Bearer " + token.text(),
        new DecisionRequest(
            "call", "Bash", kind, "Run it", input, "f".repeat(64), questions, null));
  }

  private static Question question(String id, String text) {
    return new Question(id, text, List.of(), false, true);
  }

  /// A text of so many characters, as JSON.
  private static String text(int length) {
    return "\"" + "x".repeat(length) + "\"";
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
