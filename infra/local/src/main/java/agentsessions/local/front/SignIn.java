package agentsessions.local.front;

import agentsessions.local.front.HttpMessage.Answer;
import agentsessions.local.front.HttpMessage.Header;
import agentsessions.local.front.HttpMessage.Request;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// The endpoint that exchanges a one-time code for a console key, so that a person need not paste
/// one. The start of the service prints the code.
///
/// The code is valid for five minutes and for one key, and is kept in memory only. A later code,
/// which scripts/keys writes to the data folder, is valid for as long.
public final class SignIn {
  static final String PATH = "/rest/v1/console/sign-in";
  public static final Duration GOOD_FOR = Duration.ofMinutes(5);
  private static final int LARGEST_BODY = 1 << 10;
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final DateTimeFormatter MILLISECONDS =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter();

  /// A new key: its text and its expiry.
  public record Made(String key, Instant expiresAt) {}

  private final String code;
  private final Predicate<String> later;
  private final Supplier<Optional<Made>> maker;
  private final Clock clock;
  private final Instant end;
  private boolean used;

  /// @param code a text that cannot be guessed
  /// @param later whether a text is the valid later code; a call uses it up
  /// @param maker makes the key; empty if the workspace has the maximum of keys
  public SignIn(String code, Predicate<String> later, Supplier<Optional<Made>> maker, Clock clock) {
    this.code = code;
    this.later = later;
    this.maker = maker;
    this.clock = clock;
    this.end = clock.instant().plus(GOOD_FOR);
  }

  /// An endpoint without a valid code.
  static SignIn closed() {
    SignIn closed = new SignIn("", _ -> false, Optional::empty, Clock.systemUTC());
    closed.used = true;
    return closed;
  }

  boolean isAsked(Request request) {
    return request.method().equals("POST") && request.path().equals(PATH);
  }

  /// @throws GatewayResponse if the code is not valid
  Answer answer(Request request) {
    return answer(exchange(shown(request))); // reads before it locks
  }

  private synchronized Made exchange(String shown) {
    boolean isFirst = isGood(shown);
    if (!isFirst && !later.test(shown)) {
      throw GatewayResponse.unknownCode();
    }
    Made made = maker.get().orElseThrow(GatewayResponse::tooManyKeys);
    used |= isFirst;
    return made;
  }

  private boolean isGood(String shown) {
    boolean same = MessageDigest.isEqual(bytes(shown), bytes(code));
    return same && !used && clock.instant().isBefore(end);
  }

  private static String shown(Request request) {
    try {
      JsonNode body = JSON.readTree(request.body().readNBytes(LARGEST_BODY));
      return body.path("code").asText();
    } catch (JsonProcessingException malformed) {
      throw GatewayResponse.badRequest("The body is not JSON");
    } catch (IOException broken) {
      throw GatewayResponse.badRequest("The body could not be read");
    }
  }

  private static Answer answer(Made made) {
    String body =
        JSON.createObjectNode()
            .put("key", made.key())
            .put("expires_at", MILLISECONDS.format(made.expiresAt()))
            .toString();
    return new Answer(200, List.of(new Header("Content-Type", "application/json")), bytes(body));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
