package agentsessions.runner.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/// A secret is in nothing that is said.
class MaskTest {
  private static final String SECRET = "s3cret/\"value\"=ü\n";

  @Property(tries = 500)
  void noSecretIsLeftInAnyText(
      @ForAll("secrets") List<String> secrets,
      @ForAll("texts") String before,
      @ForAll("texts") String after) {
    String text = before + String.join(after, secrets) + after;
    String masked = Mask.of(secrets).text(text);
    for (String secret : secrets) {
      assertFalse(masked.contains(secret), masked);
    }
  }

  @Property(tries = 500)
  void noSecretIsLeftInJsonWithinJsonWithinJson(
      @ForAll("secret") String secret,
      @ForAll("others") String before,
      @ForAll("others") String after)
      throws JsonProcessingException {
    String text = before + secret + after;
    Mask mask = Mask.of(List.of(secret));
    for (int depth = 0; depth < 3; depth++) {
      text = Json.MAPPER.writeValueAsString(text);
      String read = mask.text(text);
      for (int level = 0; level <= depth; level++) {
        read = Json.MAPPER.readValue(read, String.class);
      }
      assertFalse(read.contains(secret), read);
    }
  }

  @Property(tries = 500)
  void nothingIsLeftOfASecretWhereATextIsCut(
      @ForAll("secret") String secret, @ForAll("texts") String other) {
    for (int cut = 1; cut < secret.length(); cut++) {
      String head = other + secret.substring(0, cut);
      String tail = secret.substring(cut) + other;
      assertFalse(Mask.of(List.of(secret)).beginning(head).endsWith(secret.substring(0, cut)));
      assertFalse(Mask.of(List.of(secret)).ending(tail).startsWith(secret.substring(cut)));
    }
  }

  @Property(tries = 500)
  void textWithoutASecretStaysAsItIs(
      @ForAll("secret") String secret, @ForAll("texts") String text) {
    Assume.that(!text.contains(secret));
    assertEquals(text, Mask.of(List.of(secret)).text(text));
  }

  @Property(tries = 300)
  void eachLongLineOfASecretIsHiddenByItself(@ForAll("lines") List<String> lines) {
    Mask mask = Mask.of(List.of(String.join("\n", lines)));
    for (String line : lines) {
      assertEquals("a *** b", mask.text("a " + line + " b"));
    }
  }

  @Example
  void jsonOfManyWritersIsKnown() {
    Mask mask = Mask.of(List.of(SECRET));
    for (String written :
        List.of(
            "s3cret/\\\"value\\\"=ü\\n",
            "s3cret\\/\\\"value\\\"=ü\\n",
            "s3cret/\\\"value\\\"=\\u00fc\\n",
            "s3cret/\\\"value\\\"=\\u00FC\\n",
            "s3cret/\\\"value\\\"\\u003dü\\n")) {
      assertEquals("{\"key\":\"***\"}", mask.text("{\"key\":\"" + written + "\"}"));
    }
  }

  @Example
  void secretsThatOverlapAreOneGap() {
    Mask mask = Mask.of(List.of("abcdefgh", "fghijklmn", "abababab"));
    assertEquals("x***y***z", mask.text("xabcdefghijklmnyababababababababz"));
  }

  @Example
  void shortValuesAreNoSecrets() {
    Mask mask = Mask.of(List.of("1234567", ""));
    assertSame(Mask.NONE, mask);
    assertEquals("1234567", mask.text("1234567"));
  }

  @Example
  void textsNamesAndNumbersOfJsonAreHidden() throws JsonProcessingException {
    JsonNode said =
        Json.MAPPER.readTree("{\"a\":[12345678,true,null,\"x 12345678\"],\"12345678\":1}");
    assertEquals(
        "{\"a\":[\"***\",true,null,\"x ***\"],\"***\":1}",
        Mask.of(List.of("12345678")).json(said).toString());
  }

  @Example
  void longRepetitionsTakeNoTime() {
    String secret = "a".repeat(4096);
    assertEquals("***", Mask.of(List.of(secret)).text("a".repeat(4 * 1024 * 1024)));
  }

  @Provide
  Arbitrary<String> secret() {
    return Arbitraries.strings()
        .withChars("abAB01 -_/\\\"'=<&äü€\n\t")
        .ofMinLength(8)
        .ofMaxLength(40)
        .filter(secret -> secret.matches("(?s).*[abAB01].*"));
  }

  @Provide
  Arbitrary<List<String>> secrets() {
    return secret().list().ofMinSize(1).ofMaxSize(4);
  }

  @Provide
  Arbitrary<List<String>> lines() {
    return Arbitraries.strings()
        .withChars("abAB01+/=")
        .ofMinLength(8)
        .ofMaxLength(64)
        .list()
        .ofMinSize(2)
        .ofMaxSize(5);
  }

  /// Texts that share no letter with a secret, so that their JSON stays JSON.
  @Provide
  Arbitrary<String> others() {
    return Arbitraries.strings().withChars("xyz \\\"\n").ofMaxLength(60);
  }

  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.strings().withChars("abAB01 /\\\"'=äü\n*x").ofMaxLength(60);
  }
}
