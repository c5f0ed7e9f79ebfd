package agentsessions.runner.agent;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The escaped spellings of a text inside JSON strings, by which [Mask] finds secrets. Writers of
/// JSON differ in what they escape beside quotes, backslashes and control characters, and JSON
/// within JSON is escaped again.
final class JsonForms {
  /// Characters that some writers escape so that their JSON may stand in HTML.
  private static final String MARKUP = "<>&='";

  private static final Pattern NUMBER = Pattern.compile("(?<=\\\\u)[0-9a-f]{4}");
  private static final int ASCII = 0x80;

  private JsonForms() {}

  /// The text itself, and its forms in JSON, in JSON within JSON, and once more.
  static Set<String> of(String text) {
    Set<String> once =
        Stream.of(
                plain(text),
                plain(text).replace("/", "\\/"),
                escaped(text, character -> character >= ASCII),
                upper(escaped(text, character -> character >= ASCII)),
                escaped(text, character -> MARKUP.indexOf(character) >= 0))
            .collect(Collectors.toSet());
    Set<String> twice = once.stream().map(JsonForms::plain).collect(Collectors.toSet());
    Set<String> forms = new LinkedHashSet<>(once);
    forms.add(text);
    forms.addAll(twice);
    twice.stream().map(JsonForms::plain).forEach(forms::add);
    return forms;
  }

  private static String plain(String text) {
    return new String(JsonStringEncoder.getInstance().quoteAsString(text));
  }

  /// @param numbered the characters that are written by their number
  private static String escaped(String text, IntPredicate numbered) {
    StringBuilder escaped = new StringBuilder();
    for (int index = 0; index < text.length(); index++) {
      char character = text.charAt(index);
      escaped.append(
          numbered.test(character)
              ? "\\u%04x".formatted((int) character)
              : plain(String.valueOf(character)));
    }
    return escaped.toString();
  }

  /// The same with the hexadecimal digits of a numbered character in upper case.
  private static String upper(String escaped) {
    return NUMBER.matcher(escaped).replaceAll(number -> number.group().toUpperCase(Locale.ROOT));
  }
}
