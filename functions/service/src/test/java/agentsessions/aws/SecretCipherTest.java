package agentsessions.aws;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import agentsessions.session.id.Sha256;
import agentsessions.table.Unavailable;
import java.nio.ByteBuffer;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SecretCipherTest {
  private static final byte[] TOKEN = "a token".getBytes(UTF_8);

  private final InMemoryParameters store = new InMemoryParameters();

  @Test
  void whatIsSealedOpensAlsoInAnotherProcess() {
    ByteBuffer sealed = cipher().seal("session 1", TOKEN);
    assertArrayEquals(TOKEN, cipher().open("session 1", sealed));
    assertEquals(Set.of("/stack/data-key"), store.values.keySet());
    assertFalse(new String(bytes(sealed), UTF_8).contains("token"));
  }

  /// Parameter Store may not show yet what another has made. Whoever opens may make none.
  @Test
  void whoeverOpensMakesNoKey() {
    ByteBuffer sealed = cipher().seal("session 1", TOKEN);
    store.values.clear();
    assertThrows(Unavailable.class, () -> cipher().open("session 1", sealed));
    assertEquals(Set.of(), store.values.keySet());
  }

  @Test
  void itDoesNotOpenForAnotherSession() {
    ByteBuffer sealed = cipher().seal("session 1", TOKEN);
    assertThrows(IllegalStateException.class, () -> cipher().open("session 2", sealed));
  }

  @Test
  void noBitOfItCanBeChanged() {
    SecretCipher cipher = cipher();
    ByteBuffer sealed = cipher.seal("session 1", TOKEN);
    for (int at = 0; at < sealed.remaining(); at++) {
      byte[] forged = bytes(sealed);
      forged[at] ^= 1;
      assertThrows(
          IllegalStateException.class, () -> cipher.open("session 1", ByteBuffer.wrap(forged)));
    }
  }

  @Test
  void aFingerprintIsTheSameInAnyProcessAndNoPlainHash() {
    String fingerprint = cipher().fingerprint(TOKEN);
    assertEquals(fingerprint, cipher().fingerprint(TOKEN));
    assertNotEquals(fingerprint, cipher().fingerprint("a t0ken".getBytes(UTF_8)));
    assertNotEquals(Sha256.hex(TOKEN), fingerprint);
    store.values.clear();
    assertNotEquals(fingerprint, cipher().fingerprint(TOKEN));
  }

  @Test
  void theSameIsNeverSealedInTheSameWayTwice() {
    SecretCipher cipher = cipher();
    assertNotEquals(cipher.seal("session 1", TOKEN), cipher.seal("session 1", TOKEN));
  }

  @Test
  void ofTwoWhoMakeTheKeyAtOnceBothHaveThatOfTheFirst() {
    SecretCipher slow = cipher();
    SecretCipher quick = cipher();
    store.beforeWrites.add(() -> quick.seal("session 1", TOKEN));
    ByteBuffer sealed = slow.seal("session 1", TOKEN);
    assertArrayEquals(TOKEN, quick.open("session 1", sealed));
    assertEquals(1, store.values.size());
  }

  @Test
  void theKeyIsReadOnceAProcess() {
    SecretCipher cipher = cipher();
    ByteBuffer sealed = cipher.seal("session 1", TOKEN);
    store.values.clear();
    assertArrayEquals(TOKEN, cipher.open("session 1", sealed));
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  private SecretCipher cipher() {
    return new SecretCipher(new ParameterStore(store, "/stack"));
  }
}
