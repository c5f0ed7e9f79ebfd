package agentsessions.runner.network.git;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Malformed and forged packs, which git itself does not make.
class PackedCommitsTest {
  private static final String ONE = "1".repeat(40);
  private static final String TWO = "2".repeat(40);
  private static final String BEGIN = "PACK\0\0\0\2\0\0\0";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "PACK",
        "KCAP\0\0\0\2\0\0\0\0",
        BEGIN + "\1",
        BEGIN + "\1\20",
        BEGIN + "\1\20no zlib",
        BEGIN + "\1\237\377\377\177",
        BEGIN + "\1\237\377\377\377\377\377\377\177"
      })
  void whatIsNoPackLeadsNowhereAndIsHandedOnAsItCame(String text) throws IOException {
    PackedCommits commits = new PackedCommits(new ByteArrayInputStream(bytes(text)));
    assertThrows(IOException.class, () -> commits.descends(ONE, TWO));
    assertArrayEquals(bytes(text), commits.whole().readAllBytes());
  }

  @Test
  void aPackOfNothingLeadsNowhere() throws IOException {
    String empty = BEGIN + "\0and what comes behind";
    assertFalse(new PackedCommits(new ByteArrayInputStream(bytes(empty))).descends(ONE, TWO));
  }

  /// An endless stream of empty compressed blocks.
  @Test
  void noMoreIsReadOfAPackThanIsNeeded() {
    String endless = BEGIN + "\1\20\170\1" + "\0\0\0\377\377".repeat(500_000);
    ByteArrayInputStream pack = new ByteArrayInputStream(bytes(endless));
    assertThrows(IOException.class, () -> new PackedCommits(pack).descends(ONE, TWO));
    assertFalse(pack.available() == 0, "all was read");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }
}
