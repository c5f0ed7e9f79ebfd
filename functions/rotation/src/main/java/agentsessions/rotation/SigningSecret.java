package agentsessions.rotation;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The content of the signing secret: the key that signs, and the id of the one before it as long
/// as that exists. The service reads the first two fields. All values are texts.
///
/// @param retiredAt the time since which the one before does not sign
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
record SigningSecret(
    @JsonProperty("access_key_id") String accessKeyId,
    @JsonProperty("secret_access_key") String secretAccessKey,
    @JsonProperty("retired_key_id") @Nullable String retiredKeyId,
    @JsonProperty("retired_at") @Nullable String retiredAt) {
  private static final ObjectMapper JSON = new ObjectMapper();

  static SigningSecret read(String text) {
    try {
      return JSON.readValue(text, SigningSecret.class);
    } catch (JsonProcessingException malformed) {
      malformed.clearLocation();
      throw new IllegalStateException("the signing secret is not the JSON it should be", malformed);
    }
  }

  String text() {
    try {
      return JSON.writeValueAsString(this);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /// How long the key before this one has not signed; zero if there is none.
  Duration retired(Instant now) {
    return retiredAt == null ? Duration.ZERO : Duration.between(Instant.parse(retiredAt), now);
  }

  SigningSecret withRetired(String keyId, Instant at) {
    return new SigningSecret(accessKeyId, secretAccessKey, keyId, at.toString());
  }

  SigningSecret withoutRetired() {
    return new SigningSecret(accessKeyId, secretAccessKey, null, null);
  }

  /// Without the secret, so that no log can hold it.
  @Override
  public String toString() {
    return "signing key " + accessKeyId;
  }
}
