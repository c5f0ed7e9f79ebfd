package agentsessions.rule;

import java.util.List;
import java.util.Optional;

/// A question of an agent to a person.
///
/// @param id names it within its request
/// @param multiple whether an answer may have several values
/// @param freeText whether a value may be another text than that of an option
public record Question(
    String id, String text, List<Option> options, boolean multiple, boolean freeText) {
  /// The most questions of one request, the most options of a question, and the most values of an
  /// answer.
  public static final int MOST = 20;

  /// The most bytes of the input that asks, which bounds those of the questions.
  public static final int MOST_INPUT = 64 * 1024;

  /// An answer that is offered.
  ///
  /// @param value the text that stands for it in an answer
  public record Option(String value, String label, String description) {}

  /// The words that say why an answer does not fit; empty if it does.
  public Optional<String> fault(List<String> values) {
    if (values.isEmpty() || values.stream().anyMatch(String::isBlank)) {
      return Optional.of("must be answered");
    }
    if (!multiple && values.size() > 1) {
      return Optional.of("must have one value");
    }
    return freeText || offered().containsAll(values)
        ? Optional.empty()
        : Optional.of("must be one of the options: " + String.join(", ", offered()));
  }

  private List<String> offered() {
    return options.stream().map(Option::value).toList();
  }
}
