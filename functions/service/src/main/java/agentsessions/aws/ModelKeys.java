package agentsessions.aws;

import io.micronaut.context.annotation.Property;
import io.micronaut.json.JsonMapper;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;

/// The keys of the agents' models, for runners that have no container beside them to keep them in:
/// one secret (setting `MODEL_SECRET`) with a JSON object, by the names that entries use. Read when
/// first needed and again every minute, so that a new key is followed.
@Singleton
public final class ModelKeys {
  private static final Duration FRESH = Duration.ofMinutes(1);

  private final Optional<JsonSecret> secret;

  ModelKeys(
      SecretsManagerClient secrets,
      JsonMapper json,
      Clock clock,
      @Property(name = "model.secret", defaultValue = "") String secretId) {
    this.secret =
        Optional.of(secretId)
            .filter(id -> !id.isEmpty())
            .map(id -> new JsonSecret(secrets, json, clock, id, FRESH));
  }

  /// The keys of these names, as far as there are any.
  public Map<String, String> named(Set<String> names) {
    return secret
        .filter(_ -> !names.isEmpty())
        .map(JsonSecret::texts)
        .map(all ->
            all.entrySet().stream()
                .filter(key -> names.contains(key.getKey()))
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue)))
        .orElse(Map.of());
  }
}
