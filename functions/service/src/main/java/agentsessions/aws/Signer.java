package agentsessions.aws;

import io.micronaut.context.annotation.Property;
import io.micronaut.core.type.Argument;
import io.micronaut.json.JsonMapper;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;

/// The key that signs download links: that of a user of its own, since a role's credentials die
/// within hours and a link lives six days. Read when first needed and again every five minutes, so
/// that a rotation is followed and a snapshot holds no secret.
@Singleton
final class Signer {
  private static final Duration FRESH = Duration.ofMinutes(5);

  private record Read(AwsBasicCredentials key, Instant at) {}

  private final SecretsManagerClient secrets;
  private final JsonMapper json;
  private final Clock clock;
  private final String secretId;
  private volatile @Nullable Read last;

  Signer(
      SecretsManagerClient secrets,
      JsonMapper json,
      Clock clock,
      @Property(name = "signing.secret") String secretId) {
    this.secrets = secrets;
    this.json = json;
    this.clock = clock;
    this.secretId = secretId;
  }

  AwsBasicCredentials key() {
    Read known = last;
    if (known != null && clock.instant().isBefore(known.at.plus(FRESH))) {
      return known.key;
    }
    Read read = new Read(read(), clock.instant());
    last = read;
    return read.key;
  }

  private AwsBasicCredentials read() {
    try {
      String text = secrets.getSecretValue(request -> request.secretId(secretId)).secretString();
      Map<String, String> key = json.readValue(text, Argument.mapOf(String.class, String.class));
      return AwsBasicCredentials.create(
          key.getOrDefault("access_key_id", ""), key.getOrDefault("secret_access_key", ""));
    } catch (SdkException fault) {
      throw new Unavailable("GetSecretValue", fault);
    } catch (IOException malformed) {
      throw new UncheckedIOException("the signing secret is not the JSON it should be", malformed);
    }
  }
}
