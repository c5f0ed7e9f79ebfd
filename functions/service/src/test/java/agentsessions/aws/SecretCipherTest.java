package agentsessions.aws;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import agentsessions.session.id.Sha256;
import java.nio.ByteBuffer;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SecretCipherTest {
  private static final byte[] TOKEN = "a token".getBytes(UTF_8);

  private final InMemoryParameters store = new InMemoryParameters();

  @Test
  void whatIsSealedOpensAlsoInAnotherProcess() {
    ByteBuffer sealed = seal().seal("session 1", TOKEN);
    assertArrayEquals(TOKEN, seal().open("session 1", sealed));
    assertEquals(Set.of("/stack/data-key"), store.values.keySet());
    assertFalse(new String(bytes(sealed), UTF_8).contains("token"));
  }

  @Test
  void itDoesNotOpenForAnotherSession() {
    ByteBuffer sealed = seal().seal("session 1", TOKEN);
    assertThrows(IllegalStateException.class, () -> seal().open("session 2", sealed));
  }

  @Test
  void noBitOfItCanBeChanged() {
    SecretCipher seal = seal();
    ByteBuffer sealed = seal.seal("session 1", TOKEN);
    for (int at = 0; at < sealed.remaining(); at++) {
      byte[] forged = bytes(sealed);
      forged[at] ^= 1;
      assertThrows(
          IllegalStateException.class, () -> seal.open("session 1", ByteBuffer.wrap(forged)));
    }
  }

  @Test
  void aFingerprintIsTheSameInAnyProcessAndNoPlainHash() {
    String fingerprint = seal().fingerprint(TOKEN);
    assertEquals(fingerprint, seal().fingerprint(TOKEN));
    assertNotEquals(fingerprint, seal().fingerprint("a t0ken".getBytes(UTF_8)));
    assertNotEquals(Sha256.hex(TOKEN), fingerprint);
    store.values.clear();
    assertNotEquals(fingerprint, seal().fingerprint(TOKEN));
  }

  @Test
  void theSameIsNeverSealedInTheSameWayTwice() {
    SecretCipher seal = seal();
    assertNotEquals(seal.seal("session 1", TOKEN), seal.seal("session 1", TOKEN));
  }

  @Test
  void ofTwoWhoMakeTheKeyAtOnceBothHaveThatOfTheFirst() {
    SecretCipher slow = seal();
    SecretCipher quick = seal();
    store.beforeWrites.add(() -> quick.seal("session 1", TOKEN));
    ByteBuffer sealed = slow.seal("session 1", TOKEN);
    assertArrayEquals(TOKEN, quick.open("session 1", sealed));
    assertEquals(1, store.values.size());
  }

  @Test
  void theKeyIsReadOnceAProcess() {
    SecretCipher seal = seal();
    ByteBuffer sealed = seal.seal("session 1", TOKEN);
    store.values.clear();
    assertArrayEquals(TOKEN, seal.open("session 1", sealed));
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  private SecretCipher seal() {
    return new SecretCipher(new ParameterStore(store, "/stack"));
  }
}
