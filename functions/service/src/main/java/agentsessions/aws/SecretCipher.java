package agentsessions.aws;

import agentsessions.table.Unavailable;
import jakarta.inject.Singleton;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/// The encryption of secrets that are kept in the table, by AES-256-GCM. A sealed value can be
/// opened only together with its associated text, such as the id of its session, so that moving it
/// to another item is of no use.
///
/// The key of a deployment is a parameter, made when first needed. It is read when first needed in
/// a process, so that no snapshot holds it, and never changes. Secrets of webhooks have another.
@Singleton
public final class SecretCipher {
  private static final String KEY = "data-key";
  private static final String CIPHER = "AES/GCM/NoPadding";
  private static final String MAC = "HmacSHA256";

  /// The label from which the key of fingerprints is derived.
  private static final String FINGERPRINTS = "fingerprints";

  private static final byte FORM = 1;
  private static final int KEY_BYTES = 32;
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;

  private final ParameterStore parameters;
  private final String name;
  private volatile @Nullable SecretKey known;

  SecretCipher(ParameterStore parameters) {
    this(parameters, KEY);
  }

  private SecretCipher(ParameterStore parameters, String name) {
    this.parameters = parameters;
    this.name = name;
  }

  /// The encryption by the key of this name.
  public static SecretCipher by(ParameterStore parameters, String name) {
    return new SecretCipher(parameters, name);
  }

  /// The sealed bytes, 29 more than the plain ones.
  public ByteBuffer seal(String associated, byte[] bytes) {
    byte[] nonce = random(NONCE_BYTES);
    try {
      byte[] sealed = cipher(Cipher.ENCRYPT_MODE, key(), nonce, associated).doFinal(bytes);
      return ByteBuffer.allocate(1 + NONCE_BYTES + sealed.length)
          .put(FORM)
          .put(nonce)
          .put(sealed)
          .flip();
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /// The bytes that were sealed together with `associated`.
  ///
  /// @throws IllegalStateException if they were sealed with another text, or changed since
  public byte[] open(String associated, ByteBuffer sealed) {
    ByteBuffer rest = sealed.duplicate();
    if (rest.remaining() <= NONCE_BYTES || rest.get() != FORM) {
      throw new IllegalStateException("not of a form that was ever sealed");
    }
    byte[] nonce = taken(rest, NONCE_BYTES);
    try {
      return cipher(Cipher.DECRYPT_MODE, keyThatSealed(), nonce, associated)
          .doFinal(taken(rest, rest.remaining()));
    } catch (AEADBadTagException forged) {
      throw new IllegalStateException("sealed otherwise than it is opened", forged);
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /// A keyed hash, as 64 hexadecimal digits. A reader of the table, who lacks the key, cannot test
  /// guesses of the text by it.
  public String fingerprint(byte[] bytes) {
    byte[] own = mac(key().getEncoded(), FINGERPRINTS.getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(mac(own, bytes));
  }

  private static byte[] mac(byte[] key, byte[] bytes) {
    try {
      Mac mac = Mac.getInstance(MAC);
      mac.init(new SecretKeySpec(key, MAC));
      return mac.doFinal(bytes);
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static Cipher cipher(int mode, SecretKey key, byte[] nonce, String associated)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance(CIPHER);
    cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
    cipher.updateAAD(associated.getBytes(StandardCharsets.UTF_8));
    return cipher;
  }

  private SecretKey key() {
    SecretKey key = known;
    if (key == null) {
      key = found().or(this::made).or(this::found).orElseThrow(SecretCipher::notYet);
      known = key;
    }
    return key;
  }

  /// There is one already, even if Parameter Store does not show it yet; and whoever only opens may
  /// make none.
  private SecretKey keyThatSealed() {
    SecretKey key = known;
    if (key == null) {
      key = found().orElseThrow(SecretCipher::notYet);
      known = key;
    }
    return key;
  }

  private Optional<SecretKey> found() {
    return Optional.ofNullable(parameters.values(List.of(name)).get(name)).map(SecretCipher::read);
  }

  /// Empty where another process has just made the key, which is then the one that counts.
  private Optional<SecretKey> made() {
    String fresh = Base64.getEncoder().encodeToString(random(KEY_BYTES));
    return parameters.make(name, fresh) ? Optional.of(read(fresh)) : Optional.empty();
  }

  /// Parameter Store may take a moment to show what another has made.
  private static Unavailable notYet() {
    return new Unavailable("the data key", new IllegalStateException("made, and not to be read"));
  }

  private static SecretKey read(String kept) {
    return new SecretKeySpec(Base64.getDecoder().decode(kept), "AES");
  }

  /// The generator is made at each call, never before a snapshot.
  private static byte[] random(int count) {
    byte[] bytes = new byte[count];
    new SecureRandom().nextBytes(bytes);
    return bytes;
  }

  private static byte[] taken(ByteBuffer from, int count) {
    byte[] bytes = new byte[count];
    from.get(bytes);
    return bytes;
  }
}
