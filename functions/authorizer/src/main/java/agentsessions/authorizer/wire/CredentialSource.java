package agentsessions.authorizer.wire;

import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The credentials of the function's role: from the environment, or under SnapStart from the
/// container's endpoint, because a snapshot outlives those it was made with. They are asked for
/// again five minutes before they end; if that fails, the old ones serve until then.
final class CredentialSource {
  private static final Duration EARLY = Duration.ofMinutes(5);

  private final Map<String, String> environment;
  private final Clock clock;
  private @Nullable RoleCredentials held;
  private Instant end = Instant.MIN;

  CredentialSource(Map<String, String> environment, Clock clock) {
    this.environment = environment;
    this.clock = clock;
  }

  /// @param millis how long the endpoint is waited for
  RoleCredentials current(int millis) throws IOException {
    String id = environment.get("AWS_ACCESS_KEY_ID");
    String secret = environment.get("AWS_SECRET_ACCESS_KEY");
    if (id != null && secret != null) {
      return new RoleCredentials(id, secret, environment.get("AWS_SESSION_TOKEN"));
    }
    Instant now = clock.instant();
    if (held != null && now.isBefore(end.minus(EARLY))) {
      return held;
    }
    try {
      return ask(millis);
    } catch (IOException fault) {
      if (held != null && now.isBefore(end)) {
        return held;
      }
      throw fault;
    }
  }

  private RoleCredentials ask(int millis) throws IOException {
    String address = environment.get("AWS_CONTAINER_CREDENTIALS_FULL_URI");
    if (address == null) {
      throw new IOException("The environment has no credentials, and does not say who has");
    }
    String token = environment.get("AWS_CONTAINER_AUTHORIZATION_TOKEN");
    Map<String, String> headers = token == null ? Map.of() : Map.of("Authorization", token);
    HttpCall.Response answer = new HttpCall(URI.create(address), headers, null).send(millis);
    if (answer.status() != 200) {
      throw new IOException("The endpoint of credentials answered " + answer.status());
    }
    try {
      Map<String, Object> fields = JsonText.object(answer.body());
      held =
          new RoleCredentials(
              text(fields, "AccessKeyId"), text(fields, "SecretAccessKey"), text(fields, "Token"));
      end = Instant.parse(text(fields, "Expiration"));
      return held;
    } catch (RuntimeException broken) {
      throw new IOException("The endpoint of credentials gave no credentials", broken);
    }
  }

  private static String text(Map<String, Object> fields, String name) {
    return (String) Objects.requireNonNull(fields.get(name), name);
  }
}
