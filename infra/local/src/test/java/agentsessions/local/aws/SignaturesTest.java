package agentsessions.local.aws;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import agentsessions.local.aws.S3Signature.Request;
import java.io.BufferedWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/// Tests that the object store accepts exactly the signatures that S3 accepts: requests of a table,
/// signed by [S3Signature], and by AWS's Python library if LocalStack's environment has it.
class SignaturesTest {
  private static final String TABLE = "signatures.csv";
  private static final Credentials OWN = Credentials.fresh();

  @TempDir static Path temp;

  private static ObjectStore store;
  private static HttpClient client;

  @BeforeAll
  static void open() {
    store = new ObjectStore(temp, 0, OWN, Credentials.fresh());
    client = HttpClient.newHttpClient();
  }

  @AfterAll
  static void close() {
    client.close();
    store.close();
  }

  @ParameterizedTest(name = "{0}")
  @CsvFileSource(resources = TABLE, delimiter = '|', useHeadersInDisplayName = true)
  void isTakenByALinkAndByAHeader(
      String what,
      String method,
      String path,
      @Nullable String query,
      @Nullable String headers,
      @Nullable String unsigned,
      @Nullable String body,
      int status)
      throws Exception {
    Request request = new Request(method, path, text(query), headers(headers));
    String content = text(body);
    assertEquals(status, byLink(request, signature().link(request), unsigned, content), what);
    assertEquals(status, byHeader(request, unsigned, content), what);
  }

  @ParameterizedTest(name = "{0}")
  @CsvFileSource(resources = TABLE, delimiter = '|', useHeadersInDisplayName = true)
  void isRefusedWhereAnythingSignedIsAnother(
      String what,
      String method,
      String path,
      @Nullable String query,
      @Nullable String headers,
      @Nullable String unsigned,
      @Nullable String body,
      int status)
      throws Exception {
    Request signed = new Request(method, path, text(query), headers(headers));
    String link = signature().link(signed).toString();
    String content = text(body);
    Request other =
        new Request(method.equals("GET") ? "PUT" : "GET", path, text(query), signed.headers());
    assertEquals(403, byLink(other, URI.create(link), unsigned, content), "method");
    assertEquals(
        403, byLink(signed, URI.create(link.replace("?", "x?")), unsigned, content), "path");
    assertEquals(
        403, byLink(signed, URI.create(link + "&x-id=PutObject"), unsigned, content), "query");
    assertEquals(
        403,
        byLink(signed, URI.create(link.replace("Expires=300", "Expires=301")), unsigned, content),
        "expiry");
    for (String name : signed.headers().keySet()) {
      Map<String, String> changed = new LinkedHashMap<>(signed.headers());
      changed.put(name, changed.get(name) + "x");
      Request request = new Request(method, path, text(query), changed);
      assertEquals(403, byLink(request, URI.create(link), unsigned, content), name);
    }
  }

  @Test
  void aBodyInSignedChunksIsTakenAndNoOther() throws Exception {
    S3Signature signature = signature();
    Request request = chunked("artifacts/s/chunks", "5");
    Map<String, String> headers = signature.headers(request, "STREAMING-AWS4-HMAC-SHA256-PAYLOAD");
    String seed = headers.getOrDefault("Authorization", "").replaceFirst(".*Signature=", "");
    String body = signature.chunks("hello", seed);
    assertTrue(send(request, headers, body.replace("hello", "hullo")) >= 400, "another body");
    assertEquals(200, send(request, headers, body));
    assertEquals("hello", stored("artifacts/s/chunks"));
  }

  @Test
  void aBodyInUnsignedChunksIsTakenWithTheSumThatTrailsIt() throws Exception {
    Request request = chunked("artifacts/s/trailed", "5");
    request.headers().put("x-amz-trailer", "x-amz-checksum-crc32");
    Map<String, String> headers =
        signature().headers(request, "STREAMING-UNSIGNED-PAYLOAD-TRAILER");
    String body = "5\r\nhello\r\n0\r\nx-amz-checksum-crc32:NhCmhg==\r\n\r\n";
    assertEquals(200, send(request, headers, body));
    assertEquals("hello", stored("artifacts/s/trailed"));
  }

  @Test
  void theLibraryOfAnotherLanguageSignsTheSame() throws Exception {
    Path python = python();
    assumeTrue(Files.isExecutable(python), "LocalStack's Python is not installed");
    Process process =
        new ProcessBuilder(
                python.toString(),
                resource("signatures.py").toString(),
                resource(TABLE).toString(),
                store.endpoint().toString())
            .redirectErrorStream(true)
            .start();
    try (BufferedWriter in = process.outputWriter(UTF_8)) {
      in.write(OWN.accessKeyId() + "\n" + OWN.secretAccessKey() + "\n");
    }
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertTrue(process.waitFor(1, TimeUnit.MINUTES), said);
    assertEquals(0, process.exitValue(), said);
  }

  private static Request chunked(String key, String length) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("Content-Encoding", "aws-chunked");
    headers.put("x-amz-decoded-content-length", length);
    return new Request("PUT", "/agent-sessions/" + key, "", headers);
  }

  private static S3Signature signature() {
    return new S3Signature(
        OWN, store.endpoint().getAuthority(), Instant.now().truncatedTo(ChronoUnit.SECONDS));
  }

  private static int byLink(Request request, URI link, @Nullable String unsigned, String body)
      throws Exception {
    Map<String, String> headers = new LinkedHashMap<>(headers(unsigned));
    headers.putAll(request.headers());
    return send(link, request.method(), headers, body);
  }

  private static int byHeader(Request request, @Nullable String unsigned, String body)
      throws Exception {
    Map<String, String> headers = new LinkedHashMap<>(headers(unsigned));
    headers.putAll(signature().headers(request, S3Signature.sha256(body)));
    return send(request, headers, body);
  }

  private static int send(Request request, Map<String, String> headers, String body)
      throws Exception {
    String query = request.query().isEmpty() ? "" : "?" + request.query();
    return send(
        URI.create(store.endpoint() + request.path() + query), request.method(), headers, body);
  }

  private static int send(URI uri, String method, Map<String, String> headers, String body)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri)
            .timeout(Duration.ofSeconds(30))
            .method(
                method,
                body.isEmpty() && !method.equals("PUT")
                    ? BodyPublishers.noBody()
                    : BodyPublishers.ofString(body));
    headers.forEach(request::header);
    return client.send(request.build(), BodyHandlers.discarding()).statusCode();
  }

  private static String stored(String key) throws Exception {
    Request request = new Request("GET", "/agent-sessions/" + key, "", Map.of());
    HttpRequest get = HttpRequest.newBuilder(signature().link(request)).build();
    return client.send(get, BodyHandlers.ofString()).body();
  }

  private static String text(@Nullable String cell) {
    return Objects.requireNonNullElse(cell, "");
  }

  static Map<String, String> headers(@Nullable String cell) {
    Map<String, String> headers = new LinkedHashMap<>();
    for (String line : text(cell).split("&&", -1)) {
      if (!line.isBlank()) {
        headers.put(line.split(":", 2)[0].strip(), line.split(":", 2)[1]);
      }
    }
    return headers;
  }

  private static Path python() {
    String cache =
        Objects.requireNonNullElse(
            System.getenv("XDG_CACHE_HOME"), System.getProperty("user.home") + "/.cache");
    return Path.of(cache, "agent-sessions/localstack/venv/bin/python");
  }

  private static Path resource(String name) throws Exception {
    return Path.of(Objects.requireNonNull(SignaturesTest.class.getResource(name)).toURI());
  }
}
