package agentsessions.local.aws;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.local.aws.S3Signature.Request;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests of the links' check; `SignaturesTest` asks the store itself about the same links.
class SignedLinksTest {
  private static final Credentials OWN = Credentials.fresh();
  private static final Credentials DOWNLOADS = Credentials.fresh();
  private static final String HOST = "agents.example:8080";
  private static final Request UPLOAD =
      new Request("PUT", "/agent-sessions/uploads/w/1", "", Map.of("if-none-match", "*"));

  private final SignedLinks links = new SignedLinks(OWN, DOWNLOADS);

  @ParameterizedTest(name = "{0}")
  @CsvFileSource(resources = "signatures.csv", delimiter = '|', useHeadersInDisplayName = true)
  void whatIsSignedAsItIsSentIsGoodAndNothingElse(
      String what,
      String method,
      String path,
      @Nullable String query,
      @Nullable String headers,
      @Nullable String unsigned,
      @Nullable String body,
      int status) {
    Map<String, String> signed = SignaturesTest.headers(headers);
    Request request = new Request(method, path, query == null ? "" : query, signed);
    String link = link(OWN, request, Instant.now()).toString();
    assertTrue(isGood(method, link, signed), what);
    assertFalse(isGood(method.equals("GET") ? "PUT" : "GET", link, signed), "method");
    assertFalse(isGood(method, link.replace("?", "x?"), signed), "path");
    assertFalse(isGood(method, link + "&x-id=PutObject", signed), "query");
    assertFalse(isGood(method, link.replace("Expires=300", "Expires=301"), signed), "expiry");
    assertFalse(isGood(method, link.replace("8080", "8081"), signed), "host");
    for (String name : signed.keySet()) {
      Map<String, String> changed = new LinkedHashMap<>(signed);
      changed.put(name, changed.get(name) + "x");
      assertFalse(isGood(method, link, changed), name);
    }
  }

  @Test
  void aLinkIsGoodForItsTime() {
    Instant now = Instant.now();
    assertTrue(isGood(UPLOAD, link(OWN, UPLOAD, now.minus(Duration.ofSeconds(290)))));
    assertFalse(isGood(UPLOAD, link(OWN, UPLOAD, now.minus(Duration.ofSeconds(301)))));
  }

  @Test
  void whatSignsDownloadsSignsNothingElse() {
    Request download = new Request("GET", "/agent-sessions/artifacts/s/a", "", Map.of());
    assertTrue(isGood(download, link(DOWNLOADS, download, Instant.now())));
    assertFalse(isGood(UPLOAD, link(DOWNLOADS, UPLOAD, Instant.now())));
    assertFalse(isGood(UPLOAD, link(Credentials.fresh(), UPLOAD, Instant.now())));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "?",
        "?X-Amz-Signature=",
        "?X-Amz-Signature=0&X-Amz-Credential=////",
        "?X-Amz-Credential=a/b/c/d/e&X-Amz-Date=x&X-Amz-Expires=1",
        "?X-Amz-Credential=OWN/20260101/r/s3/aws4_request&X-Amz-Date=20260101T000000Z",
        "?X-Amz-Credential=OWN/20260101/r/s3/aws4_request&X-Amz-Date=20260101T000000Z&X-Amz-Expires=-1",
        "?X-Amz-Credential=OWN/20260101/r/s3/aws4_request&X-Amz-Date=20260101T000000Z&X-Amz-Expires=9223372036854775807",
        "?X-Amz-Credential=OWN/20260101/r/s3/aws4_request&X-Amz-Date=29991231T235959Z&X-Amz-Expires=9&X-Amz-Signature=0",
        "?X-Amz-Credential=OWN/20260101//s3/aws4_request&X-Amz-Date=29991231T235959Z&X-Amz-Expires=999999999",
        "?X-Amz-Credential=OWN/20260101/r/s3/aws4_request&X-Amz-Date=29991231T235959Z&X-Amz-Expires=9&X-Amz-SignedHeaders=%00;;a%0Ab;authorization"
      })
  void whatIsNoLinkIsNotGood(String query) {
    String link = "http://" + HOST + UPLOAD.path() + query.replace("OWN", OWN.accessKeyId());
    assertFalse(isGood("PUT", link, Map.of()));
  }

  private boolean isGood(Request request, URI link) {
    return isGood(request.method(), link.toString(), request.headers());
  }

  private boolean isGood(String method, String link, Map<String, String> headers) {
    return links.isGood(
        method,
        URI.create(link),
        name ->
            headers.entrySet().stream()
                .filter(header -> header.getKey().equalsIgnoreCase(name))
                .map(Map.Entry::getValue)
                .toList());
  }

  private static URI link(Credentials pair, Request request, Instant at) {
    return new S3Signature(pair, HOST, at).link(request);
  }
}
