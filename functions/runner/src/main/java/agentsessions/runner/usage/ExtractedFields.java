package agentsessions.runner.usage;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The values of one JSON object at the wanted places.
final class ExtractedFields {
  private final Map<String, String> words = new HashMap<>();
  private final Map<String, Long> numbers = new HashMap<>();
  private long text;

  void word(String place, String word) {
    words.put(place, word);
  }

  /// Adds a text, of which only the length is kept.
  void text(String said) {
    text += said.getBytes(StandardCharsets.UTF_8).length;
  }

  void number(String place, long number) {
    numbers.put(place, number);
  }

  @Nullable String word(String place) {
    return words.get(place);
  }

  Map<String, Long> numbers() {
    return numbers;
  }

  /// The bytes of all texts.
  long text() {
    return text;
  }

  boolean hasAny(Set<String> places) {
    return places.stream().anyMatch(words::containsKey);
  }

  /// Whether a value is among those wanted at its place; an empty set stands for any value.
  boolean isOneOf(Map<String, Set<String>> wanted) {
    return wanted.entrySet().stream()
        .anyMatch(each -> {
          String word = words.get(each.getKey());
          return word != null && (each.getValue().isEmpty() || each.getValue().contains(word));
        });
  }
}
