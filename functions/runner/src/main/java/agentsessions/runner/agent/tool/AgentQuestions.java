package agentsessions.runner.agent.tool;

import agentsessions.rule.Question;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/// The questions that a call asks whose input is `{questions: [{question, options: [{label,
/// description}], multiSelect}]}`, as claude's does, or `{questions: [{title, options: [label]}]}`,
/// as codex' does.
///
/// @param input as the agent wrote it
/// @param questions as people see them, with secrets masked; their ids are their positions, from 1
public record AgentQuestions(JsonNode input, List<Question> questions) {
  private static final String QUESTIONS = "questions";
  private static final String OPTIONS = "options";

  /// The questions in a call's input.
  ///
  /// @throws IllegalArgumentException if it asks nothing, too much, or the same twice
  public static AgentQuestions of(JsonNode input, UnaryOperator<String> mask) {
    List<Question> questions = new ArrayList<>();
    Set<String> texts = new HashSet<>();
    for (JsonNode asked : input.path(QUESTIONS)) {
      String id = String.valueOf(questions.size() + 1);
      questions.add(question(id, asked, mask));
      texts.add(text(asked));
    }
    if (texts.size() != questions.size()
        || questions.isEmpty()
        || questions.stream().anyMatch(each -> each.text().isBlank())
        || questions.size() > Question.MOST
        || questions.stream().anyMatch(each -> each.options().size() > Question.MOST)) {
      throw new IllegalArgumentException("The call's input could not be read.");
    }
    return new AgentQuestions(input, questions);
  }

  private static Question question(String id, JsonNode asked, UnaryOperator<String> mask) {
    List<Question.Option> options = new ArrayList<>();
    for (JsonNode option : asked.path(OPTIONS)) {
      String label = mask.apply(label(option));
      String description = mask.apply(option.path("description").asText());
      options.add(new Question.Option(label, label, description));
    }
    String text = mask.apply(text(asked));
    return new Question(id, text, options, asked.path("multiSelect").asBoolean(), true);
  }

  private static String text(JsonNode asked) {
    return asked.path(asked.has("title") ? "title" : "question").asText();
  }

  private static String label(JsonNode option) {
    return option.isTextual() ? option.textValue() : option.path("label").asText();
  }

  /// The reason of the call's denial, which tells the agent the answers, by id.
  public String answered(Map<String, List<String>> answers) {
    List<String> told = new ArrayList<>();
    for (int place = 0; place < questions.size(); place++) {
      JsonNode asked = input.path(QUESTIONS).path(place);
      List<String> values = answers.getOrDefault(questions.get(place).id(), List.of());
      String answer = String.join(", ", unmasked(values, place, asked));
      told.add(quoted(text(asked)) + "=" + quoted(answer));
    }
    return "A person has answered: %s. Go on with that.".formatted(String.join(", ", told));
  }

  private static String quoted(String text) {
    return JsonNodeFactory.instance.textNode(text).toString();
  }

  /// A value is that of an option as people have seen it, or another text.
  private List<String> unmasked(List<String> values, int place, JsonNode asked) {
    List<String> offered =
        questions.get(place).options().stream().map(Question.Option::value).toList();
    return values.stream()
        .map(value -> {
          int option = offered.indexOf(value);
          return option < 0 ? value : label(asked.path(OPTIONS).path(option));
        })
        .toList();
  }
}
