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

/// Signing in to the console without pasting a key: whoever shows the one-time code, which the
/// start of the service prints, gets a key of their own.
///
/// The code is good for five minutes and for one key. It is in memory only. So is a later one for
/// who can write into the data folder, which keeps it for as long.
public final class SignIn {
  static final String PATH = "/rest/v1/console/sign-in";
  public static final Duration GOOD_FOR = Duration.ofMinutes(5);
  private static final int LARGEST_BODY = 1 << 10;
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final DateTimeFormatter MILLISECONDS =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter();

  /// A key as it is handed out: its text, and when it ends.
  public record Made(String key, Instant expiresAt) {}

  private final String code;
  private final Predicate<String> later;
  private final Supplier<Optional<Made>> maker;
  private final Clock clock;
  private final Instant end;
  private boolean used;

  /// @param code a text that nobody can guess
  /// @param later whether it is another code that is good now, which it is once
  /// @param maker makes the key; empty if there are as many as there may be
  public SignIn(String code, Predicate<String> later, Supplier<Optional<Made>> maker, Clock clock) {
    this.code = code;
    this.later = later;
    this.maker = maker;
    this.clock = clock;
    this.end = clock.instant().plus(GOOD_FOR);
  }

  /// Where nobody can sign in.
  static SignIn closed() {
    SignIn closed = new SignIn("", _ -> false, Optional::empty, Clock.systemUTC());
    closed.used = true;
    return closed;
  }

  boolean isAsked(Request request) {
    return request.method().equals("POST") && request.path().equals(PATH);
  }

  /// @throws GatewayResponse if the code is not good
  Answer answer(Request request) {
    return told(exchange(shown(request))); // who sends slowly keeps nobody else waiting
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

  private static Answer told(Made made) {
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
