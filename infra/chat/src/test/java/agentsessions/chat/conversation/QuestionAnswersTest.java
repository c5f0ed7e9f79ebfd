package agentsessions.chat.conversation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.chat.Pages;
import agentsessions.chat.api.ApiHttp;
import agentsessions.chat.api.PendingRequest;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Tests of what is taken for an answer to a question.
class QuestionAnswersTest {
  private static final String OPTIONS =
      """
      [{"value": "r", "label": "Red", "description": null}, {"value": "g", "label": "Green"}]\
      """;

  @Test
  void anOptionIsChosenByItsNumberOrItsName() {
    for (String line : List.of("2", " green ", "g")) {
      QuestionAnswers answers = asked(question("1", OPTIONS, false, false));
      assertTrue(answers.take(line), line);
      assertEquals(Map.of("1", List.of("g")), answers.values());
    }
  }

  @Test
  void severalAreChosenOnlyWhereSeveralMayBe() {
    QuestionAnswers several = asked(question("1", OPTIONS, true, false));
    assertTrue(several.take("2, 1 2"));
    assertEquals(Map.of("1", List.of("g", "r")), several.values());
    assertFalse(asked(question("1", OPTIONS, false, false)).take("1 2"));
  }

  @Test
  void wordsAreAnAnswerOnlyWhereTheyMayBeAndNumbersAreForTheList() {
    QuestionAnswers free = asked(question("1", OPTIONS, false, true));
    Stream.of("3", "0", "", " ").forEach(line -> assertFalse(free.take(line), line));
    assertTrue(free.take(" neither of them "));
    assertEquals(Map.of("1", List.of("neither of them")), free.values());
    assertTrue(asked(question("1", "[]", false, true)).take("42"));
    Stream.of("3", "blue", "")
        .forEach(line -> assertFalse(asked(question("1", OPTIONS, false, false)).take(line), line));
  }

  @Test
  void questionsAreAnsweredInTheirOrder() {
    QuestionAnswers answers =
        asked(question("a", OPTIONS, false, false), question("b", "[]", false, true));
    assertTrue(answers.take("1"));
    assertEquals("b", answers.next().orElseThrow().id());
    assertTrue(answers.take("because"));
    assertTrue(answers.next().isEmpty());
    assertEquals(Map.of("a", List.of("r"), "b", List.of("because")), answers.values());
  }

  @Test
  void theNameOfAnOptionIsNoDenial() {
    String options = "[{\"value\": \"x\", \"label\": \"D\"}]";
    assertFalse(asked(question("1", options, false, true)).isDenial("d"));
    assertTrue(asked(question("1", options, false, true)).isDenial("deny"));
    assertTrue(asked(question("1", OPTIONS, false, true)).isDenial(" d "));
    assertFalse(asked(question("1", OPTIONS, false, true)).isDenial("d is best"));
  }

  private static QuestionAnswers asked(String... questions) {
    String fields = "\"questions\": [%s]".formatted(String.join(",", questions));
    return new QuestionAnswers(
        ApiHttp.read(Pages.request("r", "question", fields), PendingRequest.class));
  }

  private static String question(String id, String options, boolean multiple, boolean isFree) {
    return """
    {"id": "%s", "text": "Which?", "options": %s, "multiple": %s, "free_text": %s}\
    """
        .formatted(id, options, multiple, isFree);
  }
}
