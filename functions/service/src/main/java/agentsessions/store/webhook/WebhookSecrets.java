package agentsessions.store.webhook;

import agentsessions.aws.ParameterStore;
import agentsessions.aws.SecretCipher;
import agentsessions.session.id.WebhookId;
import jakarta.inject.Singleton;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;

/// The secrets that sign webhook events, as they are made and kept: `whsec_` and the base64 of 32
/// bytes, sealed by a key of their own. Only the functions that make webhooks or send to them may
/// read that key.
@Singleton
public final class WebhookSecrets {
  private static final String KEY = "webhook-key";
  private static final String PREFIX = "whsec_";
  private static final int BYTES = 32;

  private final SecretCipher cipher;

  public WebhookSecrets(ParameterStore parameters) {
    this.cipher = SecretCipher.by(parameters, KEY);
  }

  /// A new secret.
  static String fresh() {
    byte[] bytes = new byte[BYTES];
    new SecureRandom().nextBytes(bytes);
    return PREFIX + Base64.getEncoder().encodeToString(bytes);
  }

  ByteBuffer seal(WebhookId webhook, String secret) {
    return cipher.seal(webhook.toString(), secret.getBytes(StandardCharsets.UTF_8));
  }

  String open(WebhookId webhook, ByteBuffer sealed) {
    return new String(cipher.open(webhook.toString(), sealed), StandardCharsets.UTF_8);
  }
}
