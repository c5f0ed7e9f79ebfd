package agentsessions.api.sessions;

import agentsessions.api.request.Call;
import agentsessions.session.Idempotency;
import agentsessions.session.Refusal;
import agentsessions.session.id.Sha256;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The responses of the POSTs that take an `Idempotency-Key`: the 201 of a message, the repeat of
/// any, and the refusal of a key that was used.
final class AcceptanceResponses {
  private static final String HEADER = "Idempotency-Key";

  /// The idempotency key of a request to `path`, the resource's concrete path; null where the
  /// client sent none.
  ///
  /// @param hash the hash of the request's body, by which a repeat is recognized
  static @Nullable Idempotency idempotency(Call call, String path, Function<byte[], String> hash) {
    return call.header(HEADER)
        .map(key -> new Idempotency(Sha256.hex(path + "\n" + valid(key)), hash.apply(call.body())))
        .orElse(null);
  }

  static MutableHttpResponse<?> created(Object body) {
    return HttpResponse.created(body).contentType(MediaType.APPLICATION_JSON_TYPE);
  }

  static MutableHttpResponse<?> replayed(MutableHttpResponse<?> first) {
    return first.header("Idempotent-Replayed", "true");
  }

  static Refusal reused() {
    return Refusal.of(
        Refusal.Code.IDEMPOTENCY_KEY_REUSED,
        "This Idempotency-Key was used with another request body");
  }

  private static String valid(String key) {
    if (!key.matches("[!-~]([ -~]{0,253}[!-~])?")) {
      throw Refusal.invalid(HEADER, "must be 1 to 255 printable characters");
    }
    return key;
  }

  private AcceptanceResponses() {}
}
