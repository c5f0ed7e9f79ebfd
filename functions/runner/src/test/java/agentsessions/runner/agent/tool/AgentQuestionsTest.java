package agentsessions.runner.agent.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import agentsessions.rule.Question;
import agentsessions.runner.agent.Json;
import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The questions in a call's input, in the forms of all agents.
class AgentQuestionsTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'question':'Which?','header':'h','options':[{'label':'Blue','description':''},{'label':'Red','description':''}]}",
        "{'title':'Which?','options':['Blue','Red']}"
      })
  void aQuestionIsTheSameInEachForm(String asked) throws JsonProcessingException {
    AgentQuestions read = read(asked);
    List<Question.Option> options =
        List.of(new Question.Option("Blue", "Blue", ""), new Question.Option("***", "***", ""));
    assertEquals(List.of(new Question("1", "Which?", options, false, true)), read.questions());
    assertEquals(
        "A person has answered: \"Which?\"=\"Red\". Go on with that.",
        read.answered(Map.of("1", List.of("***"))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{'title':' '}",
        "{'title':'Which?'},{'question':'Which?'}",
        "{'options':['Which?']}"
      })
  void whatIsNoQuestionIsNotAsked(String asked) {
    assertThrows(IllegalArgumentException.class, () -> read(asked));
  }

  @Test
  void aQuestionNeedsNoOptions() throws JsonProcessingException {
    assertEquals(List.of(), read("{'title':'Which?'}").questions().getFirst().options());
  }

  private static AgentQuestions read(String asked) throws JsonProcessingException {
    String input = "{'questions':[" + asked + "]}";
    return AgentQuestions.of(
        Json.MAPPER.readTree(input.replace('\'', '"')), text -> text.replace("Red", "***"));
  }
}
