package agentsessions.aws;

import agentsessions.table.NotAllowed;
import agentsessions.table.Unavailable;
import io.micronaut.core.type.Argument;
import io.micronaut.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;

/// A secret of Secrets Manager that is a JSON object of texts: read when first needed, so that a
/// snapshot holds none, and again once it is not fresh any more, so that a change is followed.
final class JsonSecret {
  private record Read(Map<String, String> texts, Instant at) {}

  private final SecretsManagerClient secrets;
  private final JsonMapper json;
  private final Clock clock;
  private final String id;
  private final Duration fresh;
  private volatile @Nullable Read last;

  JsonSecret(
      SecretsManagerClient secrets, JsonMapper json, Clock clock, String id, Duration fresh) {
    this.secrets = secrets;
    this.json = json;
    this.clock = clock;
    this.id = id;
    this.fresh = fresh;
  }

  Map<String, String> texts() {
    Read known = last;
    if (known != null && clock.instant().isBefore(known.at.plus(fresh))) {
      return known.texts;
    }
    Read read = new Read(read(), clock.instant());
    last = read;
    return read.texts;
  }

  private Map<String, String> read() {
    try {
      String text = secrets.getSecretValue(request -> request.secretId(id)).secretString();
      return json.readValue(text, Argument.mapOf(String.class, String.class));
    } catch (SdkException fault) {
      throw NotAllowed.is(fault)
          ? new NotAllowed("GetSecretValue", fault)
          : new Unavailable("GetSecretValue", fault);
    } catch (IOException _) {
      // Without its cause, which may quote the secret.
      throw new UncheckedIOException(new IOException("a secret is not the JSON it should be"));
    }
  }
}
