package agentsessions.aws;

import io.micronaut.context.annotation.Property;
import io.micronaut.json.JsonMapper;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;

/// The key that signs download links: that of a user of its own, since a role's credentials die
/// within hours and a link lives six days. Read when first needed and again every five minutes, so
/// that a rotation is followed and a snapshot holds no secret.
///
/// Why: decision 023.
@Singleton
final class DownloadSigningKey {
  private static final Duration FRESH = Duration.ofMinutes(5);

  private final JsonSecret secret;

  DownloadSigningKey(
      SecretsManagerClient secrets,
      JsonMapper json,
      Clock clock,
      @Property(name = "signing.secret") String secretId) {
    this.secret = new JsonSecret(secrets, json, clock, secretId, FRESH);
  }

  AwsBasicCredentials key() {
    Map<String, String> key = secret.texts();
    return AwsBasicCredentials.create(
        key.getOrDefault("access_key_id", ""), key.getOrDefault("secret_access_key", ""));
  }
}
