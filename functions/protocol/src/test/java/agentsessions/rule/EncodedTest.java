package agentsessions.rule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.nio.charset.StandardCharsets;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/// The counted size equals that of a JSON writer's output for a text, written twice.
class EncodedTest {
  @Property(seed = "1")
  void aTextTakesWhatItTakesInTheJsonOfAnEvent(@ForAll String text) {
    Assumptions.assumeTrue(StandardCharsets.UTF_8.newEncoder().canEncode(text));
    assertEquals(written(text), Encoded.bytes(text));
  }

  @Test
  void theSevenBitCharactersToo() {
    for (char character = 0; character < 128; character++) {
      String text = String.valueOf(character);
      assertEquals(written(text), Encoded.bytes(text), () -> "of " + (int) text.charAt(0));
    }
  }

  @Property(seed = "1")
  void aClippedTextIsALongestBeginning(@ForAll String text, @ForAll @IntRange(max = 100) int most) {
    String kept = Encoded.clip(text, most);
    assertTrue(text.startsWith(kept) && Encoded.bytes(kept) <= most);
    if (kept.length() < text.length()) {
      int next = kept.length() + Character.charCount(text.codePointAt(kept.length()));
      assertTrue(Encoded.bytes(text.substring(0, next)) > most);
    }
  }

  private static int written(String text) {
    return quoted(quoted(text)).getBytes(StandardCharsets.UTF_8).length
        - quoted(quoted("")).getBytes(StandardCharsets.UTF_8).length;
  }

  private static String quoted(String text) {
    return "\"" + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + "\"";
  }
}
