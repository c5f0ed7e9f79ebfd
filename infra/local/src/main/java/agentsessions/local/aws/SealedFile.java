package agentsessions.local.aws;

import static java.nio.charset.StandardCharsets.UTF_8;

import agentsessions.local.machine.CannotStart;
import agentsessions.local.machine.DataFolder;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/// A text file encrypted with AES-256-GCM, with its key in a file beside it. Only their owner can
/// read either. The encryption protects copies of the one file, not against a reader of both.
final class SealedFile {
  private static final String CIPHER = "AES/GCM/NoPadding";
  private static final int KEY_BYTES = 32;
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;

  private final DataFolder data;
  private final String name;
  private final SecretKey key;

  /// @param name the file's name; its key's file has `.key` added
  SealedFile(DataFolder data, String name) {
    this.data = data;
    this.name = name;
    this.key = new SecretKeySpec(Base64.getDecoder().decode(key(data, name + ".key")), "AES");
  }

  /// The text; empty if none was ever written.
  ///
  /// @throws CannotStart if the file was altered or does not belong to the key
  Optional<String> read() {
    return data.secret(name).map(this::opened);
  }

  /// Replaces the text, atomically.
  void write(String text) {
    byte[] nonce = random(NONCE_BYTES);
    try {
      byte[] sealed = cipher(Cipher.ENCRYPT_MODE, nonce).doFinal(text.getBytes(UTF_8));
      byte[] all = Arrays.copyOf(nonce, NONCE_BYTES + sealed.length);
      System.arraycopy(sealed, 0, all, NONCE_BYTES, sealed.length);
      data.keepSecret(name, Base64.getEncoder().encodeToString(all));
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private String opened(String kept) {
    try {
      byte[] all = Base64.getDecoder().decode(kept);
      byte[] nonce = Arrays.copyOf(all, NONCE_BYTES);
      byte[] text =
          cipher(Cipher.DECRYPT_MODE, nonce)
              .doFinal(all, NONCE_BYTES, Math.max(0, all.length - NONCE_BYTES));
      return new String(text, UTF_8);
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new CannotStart(
          "%s does not open with %s.key: bring both back from one copy, or remove both (secrets are then gone)"
              .formatted(data.root().resolve(name), name),
          e);
    }
  }

  private Cipher cipher(int mode, byte[] nonce) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance(CIPHER);
    cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
    return cipher;
  }

  private static String key(DataFolder data, String file) {
    return data.secret(file)
        .orElseGet(() -> {
          String fresh = Base64.getEncoder().encodeToString(random(KEY_BYTES));
          data.keepSecret(file, fresh);
          return fresh;
        });
  }

  private static byte[] random(int count) {
    byte[] bytes = new byte[count];
    new SecureRandom().nextBytes(bytes);
    return bytes;
  }
}
