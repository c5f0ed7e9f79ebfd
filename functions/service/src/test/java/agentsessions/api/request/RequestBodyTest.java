package agentsessions.api.request;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.session.Refusal;
import io.micronaut.json.JsonMapper;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestBodyTest {
  private static final JsonMapper JSON = JsonMapper.createDefault();
  private static final int MESSAGE = 256 * 1024;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "[]",
        "1",
        "null",
        "\"x\"",
        "{\"a\":1}}",
        "{}{}",
        "{'a':1}",
        "{\"a\"}"
      })
  void whatIsNotOneJsonObjectIsABadRequest(String text) {
    assertEquals(Refusal.Code.BAD_REQUEST, assertThrows(Refusal.class, () -> read(text)).code());
  }

  @Test
  void aBodyOfMoreThanAMebibyteIsTooLarge() {
    byte[] large = new byte[1024 * 1024 + 1];
    assertEquals(
        Refusal.Code.TOO_LARGE,
        assertThrows(Refusal.class, () -> RequestBody.read(JSON, large)).code());
  }

  @Test
  void aMessageIsMeasuredInBytes() {
    String rocket = "\uD83D\uDE80";
    assertEquals(List.of(), faults(message(rocket.repeat(MESSAGE / 4)), RequestBody::message));
    assertEquals(
        List.of("message"),
        faults(message(rocket.repeat(MESSAGE / 4) + "a"), RequestBody::message));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"message\":null}",
        "{\"message\":\"\"}",
        "{\"message\":\" \\n\"}",
        "{\"message\":1}",
        "{\"message\":[\"x\"]}",
        "{\"message\":\"\\ud83d\"}"
      })
  void aMessageIsATextThatSaysSomething(String text) {
    assertEquals(List.of("message"), faults(text, RequestBody::message));
  }

  @Test
  void anEscapedNulIsText() {
    assertEquals(List.of(), faults("{\"message\":\"a\\u0000\"}", RequestBody::message));
  }

  @Test
  void allFaultsAreToldAtOnce() {
    assertEquals(
        List.of("message", "title", "is_archived", "metadata"),
        faults(
            "{\"title\":\"long\",\"is_archived\":0,\"metadata\":[]}",
            body -> {
              body.message();
              body.optional("title", 3);
              body.flag("is_archived");
              body.pairs("metadata");
            }));
  }

  @Test
  void absentAndNullAreTheSameExceptWhereAFieldIsNamed() {
    RequestBody body = read("{\"title\":null}");
    assertEquals(Optional.empty(), body.optional("title", 1));
    assertEquals(Optional.empty(), body.flag("is_archived"));
    assertEquals(Map.of(), body.pairs("metadata"));
    assertTrue(body.names("title"));
    assertDoesNotThrow(body::check);
  }

  @Test
  void whatNobodyAskedForIsNotKnownUnlessItIsNull() {
    Consumer<RequestBody> reading = body -> body.object("b", "{}").ifPresent(b -> b.has("c"));
    assertEquals(List.of(), faults("{\"a\":null,\"b\":{\"c\":1,\"d\":null}}", reading));
    assertEquals(List.of("a", "b.d"), faults("{\"a\":1,\"b\":{\"c\":1,\"d\":{\"e\":1}}}", reading));
    assertEquals(
        20, faults(pairs(10_000).replace("{\"m\":{", "{").replace("}}", "}"), _ -> {}).size());
  }

  @Test
  void metadataHasItsLimits() {
    assertEquals(List.of(), faults(pair("k".repeat(64), "v".repeat(512)), b -> b.pairs("m")));
    assertEquals(List.of("m"), faults(pair("k".repeat(65), "v"), b -> b.pairs("m")));
    assertEquals(List.of("m"), faults(pair("", "v"), b -> b.pairs("m")));
    assertEquals(List.of("m.k"), faults(pair("k", "v".repeat(513)), b -> b.pairs("m")));
    assertEquals(List.of("m"), faults(pairs(17), b -> b.pairs("m")));
    assertEquals(16, read(pairs(16)).pairs("m").size());
  }

  @Test
  void aLengthIsCountedInCharactersNotInHalvesOfThem() {
    assertEquals(
        List.of(), faults("{\"title\":\"\uD83D\uDE80\"}", body -> body.optional("title", 1)));
  }

  @Property(seed = "1")
  void whateverIsSentIsTakenOrRefused(@ForAll byte[] bytes) {
    try {
      RequestBody body = RequestBody.read(JSON, bytes);
      body.message();
      body.check();
    } catch (Refusal refusal) {
      assertTrue(refusal.code() != Refusal.Code.NOT_FOUND);
    }
  }

  private static String message(String text) {
    return "{\"message\":\"" + text + "\"}";
  }

  private static String pair(String key, String value) {
    return "{\"m\":{\"%s\":\"%s\"}}".formatted(key, value);
  }

  private static String pairs(int count) {
    StringBuilder pairs = new StringBuilder("{\"m\":{");
    for (int i = 0; i < count; i++) {
      pairs.append(i == 0 ? "" : ",").append("\"k%d\":\"v\"".formatted(i));
    }
    return pairs.append("}}").toString();
  }

  private static RequestBody read(String text) {
    return RequestBody.read(JSON, text.getBytes(StandardCharsets.UTF_8));
  }

  private static List<String> faults(String text, Consumer<RequestBody> reading) {
    RequestBody body = read(text);
    reading.accept(body);
    try {
      body.check();
      return List.of();
    } catch (Refusal refusal) {
      return refusal.details().stream().map(Refusal.Detail::field).toList();
    }
  }
}
