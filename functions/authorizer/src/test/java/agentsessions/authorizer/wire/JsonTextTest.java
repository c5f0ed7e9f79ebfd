package agentsessions.authorizer.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The small JSON of the authorizer.
final class JsonTextTest {
  @Test
  void objectsArraysStringsAndWordsAreRead() {
    assertEquals(
        Map.of(
            "a",
            List.of("1.5e+3", "true", Map.of(), List.of()),
            "b",
            "\" \\ / \b\f\n\r\t \u00e9\ud83d\ude00"),
        JsonText.object(
            """
             { "a" : [1.5e+3, true, null, {}, [] ], "n":null,
            "b":"\\" \\\\ \\/ \\b\\f\\n\\r\\t \\u00E9\\uD83D\\uDE00"}
            """));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{\"a\":\"",
        "{\"a\":\"\\x\"}",
        "{\"a\":\"\\u00g0\"}",
        "{}{}",
        "<html>"
      })
  void whatIsNoObjectIsRefused(String text) {
    assertThrows(IllegalArgumentException.class, () -> JsonText.object(text));
  }

  @Test
  void anyTextCanBeQuoted() throws IOException {
    String text = "a\"b\\c\u0000\u001f\n\u00e9\ud83d\ude00";
    assertEquals(text, new ObjectMapper().readValue(JsonText.quoted(text), String.class));
    assertEquals(Map.of("a", text), JsonText.object("{\"a\":" + JsonText.quoted(text) + "}"));
  }
}
