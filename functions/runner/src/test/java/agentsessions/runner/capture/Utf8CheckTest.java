package agentsessions.runner.capture;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What is UTF-8, in however small parts it comes.
class Utf8CheckTest {
  private static final byte[] TEXT = "a ü € 😀 ".repeat(2000).getBytes(StandardCharsets.UTF_8);

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 7, 1000, 100_000})
  void textMayBeCutWithinACharacter(int part) {
    assertTrue(isUtf8(TEXT, part));
    assertFalse(isUtf8(with(TEXT, "f09f98"), part));
    assertFalse(isUtf8(with(TEXT, "ff"), part));
    assertFalse(isUtf8(with(with(TEXT, "c3"), "20"), part));
    assertFalse(isUtf8(with(with(TEXT, "eda080"), "20"), part));
    assertTrue(isUtf8(new byte[0], part));
  }

  private static boolean isUtf8(byte[] all, int part) {
    Utf8Check check = new Utf8Check();
    for (int at = 0; at < all.length; at += part) {
      check.add(all, at, Math.min(part, all.length - at));
    }
    return check.isUtf8();
  }

  private static byte[] with(byte[] text, String hex) {
    byte[] more = HexFormat.of().parseHex(hex);
    byte[] all = Arrays.copyOf(text, text.length + more.length);
    System.arraycopy(more, 0, all, text.length, more.length);
    return all;
  }
}
