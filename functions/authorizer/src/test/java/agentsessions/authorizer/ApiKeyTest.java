package agentsessions.authorizer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The text form of API keys: parts, checksum, and refusal of any other text.
final class ApiKeyTest {
  private static final String KNOWN =
      "ask_0123456789ABCDEF_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg_";

  @Test
  void aTextIsReadBackAsTheSameKey() {
    ApiKey key = ApiKey.create();
    assertEquals(Optional.of(key), ApiKey.parse(key.text()));
  }

  @Test
  void everyKeyIsAnother() {
    assertNotEquals(ApiKey.create(), ApiKey.create());
  }

  @Test
  void aTextHasFourPartsOfFixedLength() {
    assertTrue(
        ApiKey.create().text().matches("ask_[0-9A-Za-z]{16}_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}"));
  }

  @Test
  void theChecksumIsTheCrc32OfAllBeforeItInBase62() {
    ApiKey key = new ApiKey("0123456789ABCDEF", "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg");
    assertEquals(KNOWN + "2MWsLL", key.text());
  }

  @Test
  void anyOtherCharacterAnywhereIsRefused() {
    String text = ApiKey.create().text();
    for (int i = 0; i < text.length(); i++) {
      char other = text.charAt(i) == 'x' ? 'y' : 'x';
      String changed = text.substring(0, i) + other + text.substring(i + 1);
      assertEquals(Optional.empty(), ApiKey.parse(changed), changed);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "ask", "ask_", "ask___", "ask_1_2_3", "sk_live_1", "ask_é"})
  void whatIsNotOfTheFormIsNoKey(String text) {
    assertEquals(Optional.empty(), ApiKey.parse(text));
  }

  @Test
  void aKeyPrintedByAccidentDoesNotTellItsSecret() {
    ApiKey key = ApiKey.create();
    assertFalse(key.toString().contains(key.secret()));
  }
}
