package agentsessions.chaos.fuzz;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/// Generator of request headers: a key or token and a content type, right or wrong, and any others.
final class HeaderInputs {
  private HeaderInputs() {}

  /// @param runner whether it is a request of a runner
  /// @param body whether it has a body
  static Arbitrary<List<String>> of(boolean runner, boolean body) {
    Arbitrary<String> key =
        Arbitraries.frequencyOf(
            Tuple.of(runner ? 4 : 40, Arbitraries.just("Authorization: ApiKey $KEY")),
            Tuple.of(runner ? 40 : 1, Arbitraries.just("Authorization: Bearer $TOKEN")),
            Tuple.of(1, Arbitraries.just("authorization: APIKEY   $KEY")),
            Tuple.of(1, TargetInputs.printable(60).map(text -> "Authorization: " + text)),
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
            "X-Long: " + TargetInputs.LONG,
            "X-Longer: " + TargetInputs.LONG + TargetInputs.LONG),
        Combinators.combine(
                Arbitraries.strings().alpha().ofMinLength(1), TargetInputs.printable(40))
            .as((name, value) -> name + ": " + value));
  }
}
