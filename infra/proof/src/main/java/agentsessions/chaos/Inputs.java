package agentsessions.chaos;

import agentsessions.chaos.RawHttp.Request;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/// Requests as nobody should send them: each operation of `infra/openapi.yaml`, and some that are
/// none, with ids, parameters, headers and bodies that are right, almost right, or anything.
///
/// What only exists once a service runs is named: `$SESSION`, `$THREAD` and `$ARTIFACT` of the
/// sender's workspace, `$FOREIGN_…` of another one, `$KEY`, and the `$TOKEN` of a runner of the
/// sender's session.
final class Inputs {
  private static final List<String> METHODS =
      List.of("GET", "POST", "PATCH", "DELETE", "PUT", "HEAD", "OPTIONS", "TRACE", "get", "FOO");
  private static final String LONG = "x".repeat(9_000);

  private record Operation(String method, String path, List<String> parameters) {}

  private final List<Operation> operations = new ArrayList<>();
  private final Set<String> parameters = new TreeSet<>(List.of("x", "limit", "cursor", ""));

  Inputs(Path contract) throws IOException {
    JsonNode api = new YAMLMapper().readTree(contract.toFile());
    api.path("paths")
        .properties()
        .forEach(path ->
            path.getValue().properties().stream()
                .filter(entry -> !entry.getKey().equals("parameters"))
                .forEach(entry -> add(api, path.getKey(), entry.getKey(), entry.getValue())));
    for (String call :
        List.of(
            "claim",
            "lease",
            "events",
            "uploads",
            "commits",
            "result",
            "snapshot",
            "snapshot/parts",
            "snapshot/complete",
            "release")) {
      operations.add(new Operation("POST", "/runner/v1/" + call, List.of()));
    }
    operations.add(new Operation("GET", "/runner/v1/turn", List.of()));
  }

  Arbitrary<Request> requests() {
    return Arbitraries.of(operations).flatMap(this::request);
  }

  private void add(JsonNode api, String path, String method, JsonNode operation) {
    List<String> names = new ArrayList<>();
    for (JsonNode parameter : operation.path("parameters")) {
      String reference = parameter.path("$ref").asText().replace("#", "");
      names.add((reference.isEmpty() ? parameter : api.at(reference)).path("name").asText());
    }
    parameters.addAll(names);
    operations.add(new Operation(method.toUpperCase(Locale.ROOT), "/rest/v1" + path, names));
  }

  private Arbitrary<Request> request(Operation operation) {
    Arbitrary<String> method =
        Arbitraries.frequencyOf(
            Tuple.of(9, Arbitraries.just(operation.method())),
            Tuple.of(1, Arbitraries.of(METHODS)));
    boolean body = Set.of("POST", "PATCH").contains(operation.method());
    return Combinators.combine(
            method,
            path(operation.path()),
            query(operation),
            headers(operation.path().startsWith("/runner/"), body),
            body ? bodies() : rarely(bodies()))
        .as((name, path, query, headers, content) ->
            new Request(name, path + query, headers, content));
  }

  private static Arbitrary<String> path(String template) {
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
        Tuple.of(2, Arbitraries.create(() -> java.util.UUID.randomUUID().toString())),
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
    return Arbitraries.oneOf(chosen, printable(20).map(Inputs::inTarget));
  }

  private Arbitrary<String> query(Operation operation) {
    List<String> own = operation.parameters().isEmpty() ? List.of("x") : operation.parameters();
    Arbitrary<String> name =
        Arbitraries.frequencyOf(
            Tuple.of(6, Arbitraries.of(own)), Tuple.of(1, Arbitraries.of(parameters)));
    Arbitrary<String> pair =
        Combinators.combine(name, values(), Arbitraries.of("=", "=", "=", "=", "", "==", "[]="))
            .as((left, right, equals) -> left + equals + right);
    return pair.list().ofMaxSize(4).map(all -> all.isEmpty() ? "" : "?" + String.join("&", all));
  }

  private static Arbitrary<String> values() {
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
    return Arbitraries.oneOf(chosen, printable(12).map(Inputs::inTarget));
  }

  private static Arbitrary<List<String>> headers(boolean runner, boolean body) {
    Arbitrary<String> key =
        Arbitraries.frequencyOf(
            Tuple.of(runner ? 4 : 40, Arbitraries.just("Authorization: ApiKey $KEY")),
            Tuple.of(runner ? 40 : 1, Arbitraries.just("Authorization: Bearer $TOKEN")),
            Tuple.of(1, Arbitraries.just("authorization: APIKEY   $KEY")),
            Tuple.of(1, printable(60).map(text -> "Authorization: " + text)),
            Tuple.of(1, Arbitraries.just("X-None: 1")),
            Tuple.of(1, Arbitraries.just("Authorization: Bearer $KEY")));
    Arbitrary<String> type =
        Arbitraries.frequencyOf(
            Tuple.of(body ? 30 : 1, Arbitraries.just("Content-Type: application/json")),
            Tuple.of(
                2,
                Arbitraries.of(
                    "Content-Type: application/json; charset=utf-16",
                    "Content-Type: application/json; charset=nonsense",
                    "Content-Type: text/plain",
                    "Content-Type: ",
                    "Content-Type: /",
                    "Content-Type: application/x-www-form-urlencoded",
                    "Content-Type: multipart/form-data; boundary=x",
                    "Content-Type: application/json, application/json",
                    "X-No-Type: 1")));
    return Combinators.combine(
            key,
            type,
            Arbitraries.frequencyOf(
                Tuple.of(5, Arbitraries.just(List.<String>of())),
                Tuple.of(2, others().list().ofMaxSize(2))))
        .as((first, second, more) -> {
          List<String> all = new ArrayList<>(List.of(first, second));
          all.addAll(more);
          return all;
        });
  }

  private static Arbitrary<String> others() {
    return Arbitraries.oneOf(
        Arbitraries.of(
            "Idempotency-Key: one",
            "Idempotency-Key: two",
            "Idempotency-Key: ",
            "Idempotency-Key: \u00e9\u00ff",
            "Idempotency-Key: a\tb",
            "Idempotency-Key: " + "k".repeat(255),
            "Idempotency-Key: " + "k".repeat(256),
            "Accept: text/html",
            "Accept: ;;;",
            "Accept: application/xml;q=nonsense",
            "Accept-Language: -",
            "Accept-Encoding: gzip",
            "X-Forwarded-Host: elsewhere",
            "X-Forwarded-Proto: \u0001",
            "Forwarded: for=\"",
            "Cookie: =;=",
            "Origin: null",
            "Expect: nonsense",
            "Range: bytes=9-1",
            "If-None-Match: *",
            "X-HTTP-Method-Override: PUT",
            "X-Amz-Date: x",
            "Content-Encoding: gzip",
            "Content-Length: 7",
            "Host: elsewhere",
            "Transfer-Encoding: nonsense",
            "X-Long: " + LONG,
            "X-Longer: " + LONG + LONG),
        Combinators.combine(Arbitraries.strings().alpha().ofMinLength(1), printable(40))
            .as((name, value) -> name + ": " + value));
  }

  private static Arbitrary<String> rarely(Arbitrary<String> bodies) {
    return Arbitraries.frequencyOf(Tuple.of(9, Arbitraries.just("")), Tuple.of(1, bodies));
  }

  private static Arbitrary<String> bodies() {
    Arbitrary<String> json = JsonInputs.bodies();
    return Arbitraries.frequencyOf(
        Tuple.of(20, json.map(text -> bytes(text, StandardCharsets.UTF_8))),
        Tuple.of(1, json.map(text -> bytes(text, StandardCharsets.UTF_16))),
        Tuple.of(1, json.map(text -> bytes(text, StandardCharsets.ISO_8859_1))),
        Tuple.of(1, json.map(text -> bytes("\ufeff" + text, StandardCharsets.UTF_8))),
        Tuple.of(
            2, json.map(text -> bytes(text.substring(text.length() / 2), StandardCharsets.UTF_8))),
        Tuple.of(2, Arbitraries.strings().withCharRange((char) 0, (char) 255).ofMaxLength(200)));
  }

  private static String bytes(String text, Charset charset) {
    return new String(text.getBytes(charset), StandardCharsets.ISO_8859_1);
  }

  /// Characters that a header or a request line can carry.
  private static Arbitrary<String> printable(int most) {
    return Arbitraries.strings().withCharRange('!', '~').ofMinLength(1).ofMaxLength(most);
  }

  private static String inTarget(String text) {
    return text.replace("#", "%23").replace("$", "%24");
  }
}
