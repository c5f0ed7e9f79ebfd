package agentsessions.api;

import agentsessions.session.Idempotency;
import agentsessions.session.Refusal;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/// What the two message-sending POSTs share: the `Idempotency-Key` of a request, and the 201 it is
/// answered with.
final class Accepting {
  private static final String HEADER = "Idempotency-Key";

  /// The key in force for `path`, which names the resource concretely; null where the client sent
  /// none.
  static @Nullable Idempotency idempotency(Call call, String path) {
    return call.header(HEADER)
        .map(key -> new Idempotency(sha256(path + "\n" + valid(key)), sha256(call.body())))
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

  static Refusal tooManyTurns(int most) {
    return Refusal.of(
        Refusal.Code.TOO_MANY_TURNS,
        "This workspace has %d live turns, which is the most; send the message again when one has ended"
            .formatted(most));
  }

  private static String valid(String key) {
    if (!key.matches("[!-~]([ -~]{0,253}[!-~])?")) {
      throw Refusal.invalid(HEADER, "must be 1 to 255 printable characters");
    }
    return key;
  }

  private static String sha256(String text) {
    return sha256(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private Accepting() {}
}
