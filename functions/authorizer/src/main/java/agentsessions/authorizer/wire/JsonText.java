package agentsessions.authorizer.wire;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// JSON of AWS as maps, lists and strings: a number, `true` and `false` are strings too, and what
/// is `null` is missing.
public final class JsonText {
  private static final String BROKEN = "Not JSON, at character ";

  private final String text;
  private int at;

  private JsonText(String text) {
    this.text = text;
  }

  /// The fields of a JSON object.
  ///
  /// @throws IllegalArgumentException if it is no JSON object
  public static Map<String, Object> object(String text) {
    JsonText json = new JsonText(text);
    Map<String, Object> object = json.object();
    if (json.peek() != 0) {
      throw json.broken();
    }
    return object;
  }

  /// The text as a JSON string.
  public static String quoted(String text) {
    StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      if (each < ' ') {
        quoted.append("\\u00").append(Character.forDigit(each >> 4, 16));
        quoted.append(Character.forDigit(each & 15, 16));
      } else {
        quoted.append(each == '"' || each == '\\' ? "\\" : "").append(each);
      }
    }
    return quoted.append('"').toString();
  }

  private Map<String, Object> object() {
    Map<String, Object> object = new HashMap<>();
    expect('{');
    for (boolean more = peek() != '}'; more; more = follows()) {
      String name = string();
      expect(':');
      Object value = value();
      if (value != null) {
        object.put(name, value);
      }
    }
    expect('}');
    return object;
  }

  private List<Object> array() {
    List<Object> array = new ArrayList<>();
    expect('[');
    for (boolean more = peek() != ']'; more; more = follows()) {
      Object value = value();
      if (value != null) {
        array.add(value);
      }
    }
    expect(']');
    return array;
  }

  private @Nullable Object value() {
    return switch (peek()) {
      case '{' -> object();
      case '[' -> array();
      case '"' -> string();
      default -> word();
    };
  }

  /// A number, `true`, `false` or `null`.
  private @Nullable String word() {
    int start = at;
    while (at < text.length() && isOfWord(text.charAt(at))) {
      at++;
    }
    if (at == start) {
      throw broken();
    }
    String word = text.substring(start, at);
    return word.equals("null") ? null : word;
  }

  private static boolean isOfWord(char each) {
    return Character.isLetterOrDigit(each) || each == '-' || each == '+' || each == '.';
  }

  private String string() {
    expect('"');
    StringBuilder string = new StringBuilder();
    for (char each = next(); each != '"'; each = next()) {
      string.append(each == '\\' ? escaped() : each);
    }
    return string.toString();
  }

  private char escaped() {
    char each = next();
    return switch (each) {
      case '"', '\\', '/' -> each;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' ->
          (char) (digit(next()) << 12 | digit(next()) << 8 | digit(next()) << 4 | digit(next()));
      default -> throw broken();
    };
  }

  private int digit(char each) {
    int digit = Character.digit(each, 16);
    if (digit < 0) {
      throw broken();
    }
    return digit;
  }

  private boolean follows() {
    boolean follows = peek() == ',';
    if (follows) {
      at++;
    }
    return follows;
  }

  private void expect(char wanted) {
    if (peek() != wanted) {
      throw broken();
    }
    at++;
  }

  /// The next character that is no white space; 0 at the end.
  private char peek() {
    while (at < text.length() && text.charAt(at) <= ' ') {
      at++;
    }
    return at < text.length() ? text.charAt(at) : 0;
  }

  private char next() {
    if (at >= text.length()) {
      throw broken();
    }
    return text.charAt(at++);
  }

  // Without the text, which may hold a key.
  private IllegalArgumentException broken() {
    return new IllegalArgumentException(BROKEN + at);
  }
}
