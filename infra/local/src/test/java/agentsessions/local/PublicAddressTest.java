package agentsessions.local;

import static agentsessions.local.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.local.machine.CannotStart;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests of a service for other machines: one port, one URL, and nothing else that they reach.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("service") // in a process of their own: a process holds one service at a time
class PublicAddressTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration PAUSE = Duration.ofMillis(700);
  private static final String PLAN = "# Plan A\n";
  private static final String PAGE = "https://page.example";
  private static final String URL = "http://agents.example";
  private static final Pattern PORT = Pattern.compile("127\\.0\\.0\\.1 port (\\d+)");

  private LocalService service;
  private Path data;

  /// The address at which the service listens, without a path.
  private String door;

  /// A client with that address as its proxy, so that it can use the service's public name.
  private HttpClient http;

  @BeforeAll
  void start(@TempDir Path folder) {
    data = folder;
    Map<String, Object> others =
        Map.of(
            Settings.HOST, "127.0.0.1", Settings.PUBLIC_URL, URL + "/", Settings.CORS_ORIGIN, PAGE);
    service = LocalService.start(new Settings(0, 0, data, Optional.empty(), others));
    int port = port(service.reach().getFirst());
    door = "http://127.0.0.1:" + port;
    http =
        HttpClient.newBuilder()
            .proxy(ProxySelector.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)))
            .build();
  }

  private static int port(String said) {
    Matcher port = PORT.matcher(said);
    assertTrue(port.find(), said);
    return Integer.parseInt(port.group(1));
  }

  @AfterAll
  void stop() {
    service.close();
  }

  @Test
  void allLinksAreOfThePublicUrlAndThePlanComesByIt() throws Exception {
    String message = "printf '# Plan A\\n' > PLAN.md; echo done";
    JsonNode sent = post("/rest/v1/sessions", Map.of("agent_name", "shell", "message", message));
    for (JsonNode link : sent.path("_links")) {
      assertTrue(link.path("href").asText().startsWith(URL + "/rest/v1/"), link::toString);
    }
    String href = sent.at("/_links/final_message/href").asText();
    eventually(PAUSE, () -> json(get(href)), page -> !page.path("items").isEmpty());

    JsonNode artifacts = json(get(sent.at("/_links/self/href").asText() + "/artifacts"));
    String link = artifacts.at("/items/0/url").asText();
    assertTrue(link.startsWith(URL + "/agent-sessions/artifacts/"), link);
    isDownloaded(link);
    isOnlyRead(link);
    isReadByPages(link);
    isRefusedWithAKey(link);
  }

  /// Uploads with `Expect: 100-continue`, as curl does above a MiB.
  @Test
  void aLargeFileIsPutByItsLinkAndByNoOther() throws Exception {
    byte[] file = new byte[3 << 20];
    JsonNode upload =
        post("/rest/v1/uploads", Map.of("file_name", "large.bin", "size", file.length));
    URI link = URI.create(upload.path("url").asText());
    HttpRequest.Builder put =
        HttpRequest.newBuilder(link).expectContinue(true).PUT(BodyPublishers.ofByteArray(file));
    upload
        .path("headers")
        .properties()
        .forEach(header -> put.header(header.getKey(), header.getValue().asText()));
    HttpResponse<String> forged = send(put.copy().uri(URI.create(link + "0")));
    assertEquals(403, forged.statusCode());
    assertEquals("FORBIDDEN", json(forged).path("code").asText());
    assertEquals(200, status(put));
    assertEquals(412, status(put));
  }

  private void isReadByPages(String link) throws Exception {
    for (String method : List.of("GET", "HEAD", "OPTIONS", "PUT")) {
      HttpResponse<String> answer =
          send(HttpRequest.newBuilder(URI.create(link)).method(method, BodyPublishers.noBody()));
      assertEquals(List.of(PAGE), answer.headers().allValues("Access-Control-Allow-Origin"));
      assertEquals(1, answer.headers().allValues("Date").size());
    }
    HttpResponse<String> may =
        send(HttpRequest.newBuilder(URI.create(link)).method("OPTIONS", BodyPublishers.noBody()));
    assertEquals(204, may.statusCode());
    assertEquals("GET, HEAD", may.headers().firstValue("Access-Control-Allow-Methods").orElse(""));
  }

  /// A link with a credential is refused, as by S3, and the store does not get the credential's
  /// value.
  private void isRefusedWithAKey(String link) throws Exception {
    HttpResponse<String> refused = get(link);
    assertEquals(400, refused.statusCode());
    assertTrue(refused.body().contains("<Code>InvalidArgument</Code>"), refused::body);
  }

  private void isDownloaded(String link) throws Exception {
    HttpResponse<String> plan = send(HttpRequest.newBuilder(URI.create(link)).GET());
    assertEquals(PLAN, plan.body());
    assertTrue(plan.headers().firstValue("Content-Disposition").orElse("").contains("PLAN.md"));
    assertEquals(
        Optional.of("default-src 'none'; sandbox"),
        plan.headers().firstValue("Content-Security-Policy"));
    HttpRequest.Builder part =
        HttpRequest.newBuilder(URI.create(link)).header("Range", "bytes=2-5");
    HttpResponse<String> partly = send(part);
    assertEquals(206, partly.statusCode());
    assertEquals("Plan", partly.body());
    String tag = plan.headers().firstValue("ETag").orElseThrow();
    assertEquals(
        304, status(HttpRequest.newBuilder(URI.create(link)).header("If-None-Match", tag)));
  }

  private void isOnlyRead(String link) throws Exception {
    URI signed = URI.create(link);
    assertEquals(405, status(HttpRequest.newBuilder(signed).PUT(BodyPublishers.ofString("mine"))));
    assertEquals(405, status(HttpRequest.newBuilder(signed).DELETE()));
    assertEquals(403, status(HttpRequest.newBuilder(URI.create(link + "0"))));
    assertEquals(403, status(HttpRequest.newBuilder(URI.create(URL + signed.getRawPath()))));
    assertEquals(
        400,
        status(HttpRequest.newBuilder(signed).method("GET", BodyPublishers.ofString("a body"))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/runner/v1/claim",
        "/runner/v1",
        "/%72unner/v1/claim",
        "//runner/v1/claim",
        "/rest/../runner/v1/claim",
        "/rest/%2e%2e/runner/v1/claim"
      })
  void runnersAreNotSpokenForFromOutside(String path) throws Exception {
    HttpRequest.Builder claim =
        HttpRequest.newBuilder(URI.create(door + path)).POST(BodyPublishers.ofString("{}"));
    try (HttpClient direct = HttpClient.newHttpClient()) {
      for (HttpClient client : List.of(http, direct)) {
        HttpResponse<String> refused = send(client, claim);
        assertEquals(404, refused.statusCode());
        assertEquals("NOT_FOUND", json(refused).path("code").asText());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/agent-sessions", "/agent-sessions/?list-type=2", "/agent-sessions/texts/a"})
  void nothingElseOfTheBucketIsThere(String path) throws Exception {
    assertEquals(404, status(HttpRequest.newBuilder(URI.create(URL + path))));
  }

  /// Another server in front may ask for another host than the one that links are signed for.
  @Test
  void aLinkIsGoodWhateverHostAProxyNames() throws Exception {
    String message = "printf '# Plan A\\n' > PLAN.md; echo done";
    JsonNode sent = post("/rest/v1/sessions", Map.of("agent_name", "shell", "message", message));
    String href = sent.at("/_links/self/href").asText() + "/artifacts";
    JsonNode artifacts =
        eventually(PAUSE, () -> json(get(href)), page -> !page.path("items").isEmpty());
    String link = artifacts.at("/items/0/url").asText().replace(URL, door);
    try (HttpClient direct = HttpClient.newHttpClient()) {
      HttpResponse<String> plan = send(direct, HttpRequest.newBuilder(URI.create(link)).GET());
      assertEquals(PLAN, plan.body());
    }
  }

  @Test
  void clientsOfThisMachineFindTheAddressThatItListensOn() throws Exception {
    assertEquals(URL + "/rest/v1", Files.readString(data.resolve("base-url")).strip());
    assertEquals(door + "/rest/v1", Files.readString(data.resolve("local-url")).strip());
  }

  @Test
  void healthSaysNoMoreThanThatItIsUp() throws Exception {
    HttpResponse<String> health = send(HttpRequest.newBuilder(URI.create(URL + "/rest/v1/health")));
    assertEquals("{\"status\":\"ok\"}", health.body());
  }

  @Test
  void theStartSaysWhoReachesWhatAndWarnsOfPlainHttp() {
    List<String> said = service.reach();
    assertTrue(said.getFirst().startsWith("Open to all who reach 127.0.0.1 port "), said::toString);
    assertTrue(said.getLast().startsWith("Warning: "), said::toString);
    assertEquals(1, outside("https://agents.example.org").reach(443).size());
  }

  @ParameterizedTest
  @CsvSource({
    "0.0.0.0, http://127.0.0.1:8080",
    "::, http://127.0.0.1:8080",
    "::1, http://[::1]:8080",
    "localhost, http://127.0.0.1:8080"
  })
  void whoIsOnThisMachineComesByTheAddressThatItListensOn(String host, String url) {
    PublicAddress address = PublicAddress.of(host, URI.create("https://a.example"));
    assertEquals(url, address.here(8080).toString());
  }

  @Test
  void theUsualPortIsNotSigned() {
    assertEquals("https://a.example", outside("https://a.example:443/").url().toString());
    assertEquals("https://a.example:80", outside("https://a.example:80").url().toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "a.example",
        "ftp://a.example",
        "http:///",
        "http://a.example/path",
        "http://a.example?q",
        "http://a@b.example"
      })
  void aUrlThatCannotBeginALinkIsRefused(String given) {
    CannotStart refusal = assertThrows(CannotStart.class, () -> outside(given));
    assertTrue(refusal.reason().startsWith("--public-url must be"), refusal::reason);
  }

  @Test
  void anAddressOfAnotherMachineIsRefused() {
    URI any = URI.create("https://a.example");
    CannotStart refusal =
        assertThrows(CannotStart.class, () -> PublicAddress.of("203.0.113.9", any));
    assertEquals("This machine has no address 203.0.113.9 (--host)", refusal.reason());
  }

  private static PublicAddress outside(String url) {
    return PublicAddress.of("127.0.0.1", URI.create(url));
  }

  private HttpResponse<String> get(String href) throws Exception {
    return send(keyed(href).GET());
  }

  private JsonNode post(String path, Map<String, ?> body) throws Exception {
    byte[] bytes = JSON.writeValueAsBytes(body);
    return json(
        send(
            keyed(URL + path)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofByteArray(bytes))));
  }

  private HttpRequest.Builder keyed(String href) {
    return HttpRequest.newBuilder(URI.create(href))
        .header("Authorization", "ApiKey " + service.localKey());
  }

  private int status(HttpRequest.Builder request) throws Exception {
    return send(request).statusCode();
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return send(http, request);
  }

  private static HttpResponse<String> send(HttpClient client, HttpRequest.Builder request)
      throws Exception {
    return client.send(request.timeout(Duration.ofSeconds(60)).build(), BodyHandlers.ofString());
  }

  private static JsonNode json(HttpResponse<String> response) throws IOException {
    return JSON.readTree(response.body());
  }
}
