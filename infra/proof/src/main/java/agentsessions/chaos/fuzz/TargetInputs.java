package agentsessions.chaos.fuzz;

import java.util.UUID;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/// Generator of request targets: paths with ids that are right, of another workspace, or odd, and
/// values of parameters. Placeholders such as `$SESSION` are filled in by {@link FuzzFixture}.
final class TargetInputs {
  static final String LONG = "x".repeat(9_000);

  private TargetInputs() {}

  static Arbitrary<String> path(String template) {
    Arbitrary<String> path = Arbitraries.just("");
    for (String part : template.substring(1).split("/", -1)) {
      path = Combinators.combine(path, part(part)).as((left, right) -> left + "/" + right);
    }
    return path;
  }

  private static Arbitrary<String> part(String part) {
    return switch (part) {
      case "{session_id}" -> id("$SESSION");
      case "{thread_id}" -> id("$THREAD");
      case "{artifact_id}" -> id("$ARTIFACT");
      default ->
          Arbitraries.frequencyOf(Tuple.of(200, Arbitraries.just(part)), Tuple.of(1, oddPart()));
    };
  }

  private static Arbitrary<String> id(String own) {
    String foreign = own.replace("$", "$FOREIGN_");
    return Arbitraries.frequencyOf(
        Tuple.of(12, Arbitraries.just(own)),
        Tuple.of(3, Arbitraries.just(foreign)),
        Tuple.of(1, Arbitraries.of("$SESSION", "$THREAD", "$ARTIFACT", "$WORKSPACE")),
        Tuple.of(2, Arbitraries.create(() -> UUID.randomUUID().toString())),
        Tuple.of(3, oddPart()));
  }

  private static Arbitrary<String> oddPart() {
    Arbitrary<String> chosen =
        Arbitraries.of(
            "",
            ".",
            "..",
            "%2e%2e",
            "%2F",
            "%00",
            "%ff",
            "%C3%28",
            "%",
            "%zz",
            "1-1-1-1-1",
            "null",
            "6513270E-269E-4D37-B2A7-4DE452E6B438",
            "00000000-0000-0000-0000-000000000000",
            "a%20b",
            "T%23x",
            "{session_id}",
            ";a=b",
            "%ED%A0%80",
            "%F0%9F%98%80",
            "*",
            "~",
            LONG);
    return Arbitraries.oneOf(chosen, printable(20).map(TargetInputs::inTarget));
  }

  static Arbitrary<String> values() {
    Arbitrary<String> chosen =
        Arbitraries.of(
            "",
            "0",
            "1",
            "100",
            "101",
            "-1",
            "1e400",
            "NaN",
            "99999999999999999999",
            "1.5",
            "%00",
            "%ff",
            "%",
            "+",
            "a,b",
            "asc",
            "desc",
            "message",
            "tool_call",
            "user",
            "true",
            "TRUE",
            "plan",
            "working",
            "shell",
            "$THREAD",
            "$SESSION",
            "$FOREIGN_THREAD",
            "$ARTIFACT",
            "2026-11-21T00:00:00Z",
            "2026-11-21T00:00:00%2B25:00",
            "-999999999-01-01T00:00:00Z",
            "0x10",
            "1795425242",
            "1795425242.318402",
            "-1795425242",
            "1e-400",
            "Infinity",
            "MTc5NTQyNTI0MjMxODQwMi5k",
            "AAAA",
            "%F0%9F%98%80",
            "%C3%28",
            LONG);
    return Arbitraries.oneOf(chosen, printable(12).map(TargetInputs::inTarget));
  }

  /// Characters that are allowed in a header or a request line.
  static Arbitrary<String> printable(int most) {
    return Arbitraries.strings().withCharRange('!', '~').ofMinLength(1).ofMaxLength(most);
  }

  private static String inTarget(String text) {
    return text.replace("#", "%23").replace("$", "%24");
  }
}
