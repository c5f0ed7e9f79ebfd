package agentsessions.local.front;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.local.front.HttpMessage.Answer;
import agentsessions.local.front.HttpMessage.Request;
import agentsessions.local.front.HttpMessage.Sender;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests of the pages of `/docs`: complete, from this service only, and nothing else.
class ApiDocsTest {
  private static final Pattern REFERENCE = Pattern.compile("(?:src|href)=\"([^\"]*)\"");
  private final ApiDocs docs = new ApiDocs();

  @Test
  void everythingThePageAsksForIsHere() {
    List<String> references =
        REFERENCE
            .matcher(text("/docs"))
            .results()
            .map((MatchResult found) -> found.group(1))
            .filter(found -> !found.startsWith("/rest/v1/"))
            .toList();
    assertTrue(references.size() >= 4);
    references.forEach(each -> assertEquals(200, answer("GET", each).status(), each));
  }

  @Test
  void ofThisServiceOnly() {
    assertFalse(text("/docs").contains("//"));
    String policy = answer("GET", "/docs").values("Content-Security-Policy").getFirst();
    assertTrue(policy.startsWith("default-src 'none'"));
    assertFalse(policy.contains("http"));
    assertFalse(policy.contains("unsafe"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/docs/../rest/v1/sessions",
        "/docs/%2e%2e/x",
        "/docs//docs.js",
        "/docs/swagger-initializer.js",
        "/docs/docs.html/",
        "/docs/\\..\\x"
      })
  void nothingBesides(String path) {
    assertEquals(404, answer("GET", path).status());
  }

  @Test
  void itIsReadOnly() {
    assertEquals(405, answer("POST", "/docs").status());
    assertEquals(List.of("GET, HEAD"), answer("DELETE", "/docs/docs.js").values("Allow"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/docsx", "/rest/v1/docs", "/Docs", "/%64ocs"})
  void theRestIsTheGateways(String path) {
    assertTrue(docs.answer(request("GET", path)).isEmpty());
  }

  private String text(String path) {
    return new String(answer("GET", path).body(), StandardCharsets.UTF_8);
  }

  private Answer answer(String method, String path) {
    return docs.answer(request(method, path)).orElseThrow();
  }

  private static Request request(String method, String path) {
    return new Request(
        "r",
        method,
        path,
        "",
        List.of(),
        "127.0.0.1",
        "HTTP/1.1",
        InputStream.nullInputStream(),
        new Sender(() -> {}, () -> {}, () -> {}));
  }
}
