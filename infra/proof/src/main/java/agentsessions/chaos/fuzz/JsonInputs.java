package agentsessions.chaos.fuzz;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/// Generator of JSON bodies: the fields of the API with values that are right, of another type, out
/// of their limits, nested without end, named twice, or not JSON at all.
final class JsonInputs {
  private static final List<String> FIELDS =
      List.of(
          "agent_name",
          "message",
          "title",
          "metadata",
          "is_archived",
          "if_thread_id",
          "from",
          "events",
          "outcome",
          "reply",
          "artifacts",
          "claim_id",
          "attempt",
          "files",
          "error",
          "untouched",
          "tags",
          "number",
          "size",
          "x");

  private JsonInputs() {}

  static Arbitrary<String> bodies() {
    return Arbitraries.frequencyOf(
        Tuple.of(8, object(right("\"message\"", "\"echo hello\""))),
        Tuple.of(8, object(right("\"agent_name\"", "\"shell\""))),
        Tuple.of(4, object(Arbitraries.just(List.of()))),
        Tuple.of(2, values()),
        Tuple.of(1, Arbitraries.of(broken())));
  }

  private static Arbitrary<List<String>> right(String name, String value) {
    return Arbitraries.just(
        List.of(name + ":" + value, name.contains("agent") ? "\"message\":\"echo\"" : "\"x\":1"));
  }

  private static Arbitrary<String> object(Arbitrary<List<String>> first) {
    Arbitrary<String> pair =
        Combinators.combine(Arbitraries.of(FIELDS), values())
            .as((name, value) -> "\"" + name + "\":" + value);
    return Combinators.combine(first, pair.list().ofMaxSize(4))
        .as((sure, more) -> {
          String start = String.join(",", sure);
          String rest = String.join(",", more);
          return "{" + start + (start.isEmpty() || rest.isEmpty() ? "" : ",") + rest + "}";
        });
  }

  private static Arbitrary<String> values() {
    Arbitrary<String> text =
        Arbitraries.oneOf(Arbitraries.strings().ofMaxLength(30), Arbitraries.strings().alpha())
            .map(JsonInputs::quoted);
    return Arbitraries.frequencyOf(
        Tuple.of(3, text), Tuple.of(4, Arbitraries.of(chosen())), Tuple.of(1, nested()));
  }

  private static List<String> chosen() {
    return List.of(
        "null",
        "true",
        "false",
        "0",
        "-0",
        "1",
        "-1",
        "1.5",
        "1e999",
        "-1e999",
        "1E-999",
        "123456789012345678901234567890",
        "\"\"",
        "\" \"",
        "\"\\u0000\"",
        "\"\\ud800\"",
        "\"\\udc00\\ud800\"",
        "\"\\ud83d\\ude00\"",
        "\"\u0085\u2028\ufeff\"",
        "\"$SESSION\"",
        "\"$THREAD\"",
        "\"$FOREIGN_THREAD\"",
        "\"" + "m".repeat(201) + "\"",
        "\"" + "\u20ac".repeat(90_000) + "\"",
        "\"" + "m".repeat(262_144) + "\"",
        "[]",
        "{}",
        "[[]]",
        "{\"a\":\"b\"}",
        "{\"a\":1}",
        "{\"a\":null}",
        "{\"\":\"\"}",
        "{\"a\":{\"a\":{}}}",
        "{\"\\u0000\":\"\\ud800\"}",
        "{\"a\":\"b\",\"a\":\"c\"}",
        metadata(17),
        metadata(16),
        "{\"" + "k".repeat(65) + "\":\"v\"}",
        "{\"k\":\"" + "v".repeat(513) + "\"}");
  }

  private static List<String> broken() {
    return List.of(
        "",
        " ",
        "{",
        "}",
        "[",
        "\"",
        "{}{}",
        "{},",
        "{\"a\":}",
        "{a:1}",
        "{'a':1}",
        "nul",
        "NaN",
        "{\"message\":\"x\",}",
        "//x",
        "{\"message\":01}",
        "\u0000",
        "{\"message\":\"\u0001\"}");
  }

  private static Arbitrary<String> nested() {
    return Combinators.combine(
            Arbitraries.of(2, 100, 999, 1001, 5_000, 100_000), Arbitraries.of("[", "{\"a\":"))
        .as((depth, open) -> {
          String close = open.equals("[") ? "]" : "}";
          return open.repeat(depth) + (open.equals("[") ? "" : "1") + close.repeat(depth);
        });
  }

  private static String metadata(int pairs) {
    StringBuilder text = new StringBuilder("{");
    for (int i = 0; i < pairs; i++) {
      text.append(i == 0 ? "" : ",").append("\"k").append(i).append("\":\"v\"");
    }
    return text.append("}").toString();
  }

  /// A JSON string with its escapes; half a surrogate pair stays half of one.
  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean plain = c >= ' ' && c != '"' && c != '\\' && !Character.isSurrogate(c);
      quoted.append(plain ? String.valueOf(c) : "\\u%04x".formatted((int) c));
    }
    return quoted.append("\"").toString();
  }
}
