package agentsessions.chaos.fuzz;

import agentsessions.chaos.rig.RawHttp.Request;
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

/// Generator of fuzzed requests: each operation of `infra/openapi.yaml`, and some that do not
/// exist, with ids, parameters, headers and bodies that are right, almost right, or anything.
///
/// Values that exist only in a running service are placeholders: `$SESSION`, `$THREAD` and
/// `$ARTIFACT` of the sender's workspace, `$FOREIGN_…` of another one, `$KEY`, and the `$TOKEN` of
/// a runner of the sender's session.
final class OddRequests {
  private static final List<String> METHODS =
      List.of("GET", "POST", "PATCH", "DELETE", "PUT", "HEAD", "OPTIONS", "TRACE", "get", "FOO");

  private record Operation(String method, String path, List<String> parameters) {}

  private final List<Operation> operations = new ArrayList<>();
  private final Set<String> parameters = new TreeSet<>(List.of("x", "limit", "cursor", ""));

  OddRequests(Path contract) throws IOException {
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
            "standby",
            "next",
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
            TargetInputs.path(operation.path()),
            query(operation),
            HeaderInputs.of(operation.path().startsWith("/runner/"), body),
            body ? bodies() : rarely(bodies()))
        .as((name, path, query, headers, content) ->
            new Request(name, path + query, headers, content));
  }

  private Arbitrary<String> query(Operation operation) {
    List<String> own = operation.parameters().isEmpty() ? List.of("x") : operation.parameters();
    Arbitrary<String> name =
        Arbitraries.frequencyOf(
            Tuple.of(6, Arbitraries.of(own)), Tuple.of(1, Arbitraries.of(parameters)));
    Arbitrary<String> pair =
        Combinators.combine(
                name, TargetInputs.values(), Arbitraries.of("=", "=", "=", "=", "", "==", "[]="))
            .as((left, right, equals) -> left + equals + right);
    return pair.list().ofMaxSize(4).map(all -> all.isEmpty() ? "" : "?" + String.join("&", all));
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
}
