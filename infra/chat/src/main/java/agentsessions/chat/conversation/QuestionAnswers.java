package agentsessions.chat.conversation;

import agentsessions.chat.api.PendingRequest;
import agentsessions.chat.api.PendingRequest.Option;
import agentsessions.chat.api.PendingRequest.Question;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// The answers to the questions of one request, typed one after the other: the number of an option,
/// or its name, or several numbers, or words of one's own.
final class QuestionAnswers {
  private static final Pattern SEPARATOR = Pattern.compile("[,\\s]+");
  private static final Pattern NUMBER = Pattern.compile("\\d{1,4}");

  private final PendingRequest request;
  private final Map<String, List<String>> values = new LinkedHashMap<>();

  QuestionAnswers(PendingRequest request) {
    this.request = request;
  }

  boolean isOf(PendingRequest other) {
    return request.id().equals(other.id());
  }

  /// The question that is to be answered next; empty once all are.
  Optional<Question> next() {
    return request.asked().stream().skip(values.size()).findFirst();
  }

  /// What was answered so far, by question.
  Map<String, List<String>> values() {
    return values;
  }

  /// Takes a line as the answer to the next question.
  ///
  /// @return false if it is none
  boolean take(String line) {
    Optional<List<String>> chosen = next().flatMap(question -> chosen(question, line.strip()));
    chosen.ifPresent(each -> values.put(next().orElseThrow().id(), each));
    return chosen.isPresent();
  }

  /// Whether a line is a word that says that nobody answers, and not the name of an option.
  boolean isDenial(String line) {
    String word = line.strip();
    return (word.equalsIgnoreCase("d") || word.equalsIgnoreCase("deny"))
        && next().flatMap(question -> named(question, word)).isEmpty();
  }

  private static Optional<List<String>> chosen(Question question, String line) {
    Optional<List<String>> options =
        numbered(question, line).or(() -> named(question, line).map(List::of));
    boolean isOwn = question.freeText() && !line.isEmpty() && !isNumberOfNone(question, line);
    return options.isPresent() || !isOwn ? options : Optional.of(List.of(line));
  }

  /// A number is meant for the list, if there is one.
  private static boolean isNumberOfNone(Question question, String line) {
    return !question.options().isEmpty() && NUMBER.matcher(line).matches();
  }

  private static Optional<List<String>> numbered(Question question, String line) {
    List<String> words = SEPARATOR.splitAsStream(line).distinct().toList();
    boolean fits =
        (question.multiple() || words.size() == 1)
            && words.stream().allMatch(word -> isNumber(question, word));
    return fits
        ? Optional.of(
            words.stream()
                .map(word -> question.options().get(Integer.parseInt(word) - 1).value())
                .toList())
        : Optional.empty();
  }

  private static boolean isNumber(Question question, String word) {
    return NUMBER.matcher(word).matches()
        && Integer.parseInt(word) >= 1
        && Integer.parseInt(word) <= question.options().size();
  }

  private static Optional<String> named(Question question, String word) {
    return question.options().stream()
        .filter(each -> each.label().equalsIgnoreCase(word) || each.value().equals(word))
        .map(Option::value)
        .findFirst();
  }
}
