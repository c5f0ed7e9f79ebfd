package agentsessions.local.aws;

import static agentsessions.local.Eventually.eventually;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.local.wire.HeldConnections;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Configuration;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

/// Tests of the object store's access control: requests without credentials, or with credentials of
/// another scope.
class ObjectStoreTest {
  private static final String KEY = "artifacts/s/a";
  private static final Credentials OWN = Credentials.fresh();
  private static final Credentials LINKS = Credentials.fresh();

  @TempDir Path temp;

  private final HttpClient client = HttpClient.newHttpClient();
  private ObjectStore store;

  @BeforeEach
  void open() throws Exception {
    Path bucket = Files.createDirectories(temp.resolve("agent-sessions"));
    Files.setPosixFilePermissions(bucket, PosixFilePermissions.fromString("rwxr-xr-x"));
    store = new ObjectStore(temp, 0, OWN, LINKS);
  }

  @AfterEach
  void close() {
    store.close();
    client.close();
  }

  @Test
  void nothingIsListedOrReadWithoutASignature() throws Exception {
    put(link(OWN, PutObjectRequest.builder()), "text");
    URI bucket = store.endpoint().resolve("/agent-sessions");
    for (URI uri : new URI[] {bucket, URI.create(bucket + "/" + KEY), store.endpoint()}) {
      assertEquals(403, send(HttpRequest.newBuilder(uri)).statusCode());
    }
  }

  @Test
  void thePairOfTheLinksReadsArtifactsAndNothingElse() throws Exception {
    put(link(OWN, PutObjectRequest.builder()), "text");
    HttpResponse<String> answer = send(HttpRequest.newBuilder(get(LINKS, KEY)));
    assertEquals("text", answer.body());
    assertEquals("nosniff", answer.headers().firstValue("X-Content-Type-Options").orElse(""));
    assertEquals(403, send(HttpRequest.newBuilder(get(LINKS, "texts/s/a"))).statusCode());
    String scope = LINKS.accessKeyId() + "/20260101/us-east-1/s3/aws4_request";
    assertEquals(403, signedByHeader(scope));
  }

  /// Otherwise a client that sends its API key along would work here and fail with S3.
  @ParameterizedTest
  @ValueSource(strings = {"ApiKey ask_secret", "Bearer secret", "AWS4-HMAC-SHA256 Credential=x"})
  void aLinkThatComesWithACredentialIsRefused(String credential) throws Exception {
    put(link(OWN, PutObjectRequest.builder()), "text");
    HttpResponse<String> refused =
        send(HttpRequest.newBuilder(get(LINKS, KEY)).header("Authorization", credential));
    assertEquals(400, refused.statusCode());
    assertEquals("application/xml", refused.headers().firstValue("Content-Type").orElse(""));
    assertTrue(refused.body().contains("<Code>InvalidArgument</Code>"), refused::body);
    assertTrue(refused.body().contains("Only one auth mechanism allowed"), refused::body);
    assertFalse(refused.body().contains("secret"), refused::body);
  }

  @Test
  void whatIsThereIsNotOverwrittenByALinkThatForbidsIt() throws Exception {
    URI link = link(OWN, PutObjectRequest.builder().ifNoneMatch("*"));
    assertEquals(200, put(link, "first", "If-None-Match", "*"));
    assertEquals(412, put(link, "second", "If-None-Match", "*"));
    assertEquals(403, put(link, "third"));
    assertEquals("first", send(HttpRequest.newBuilder(get(LINKS, KEY))).body());
  }

  @ParameterizedTest
  @ValueSource(ints = {1_000, 3_000_000})
  void aFileIsPutOnceAndWhole(int size) throws Exception {
    String text = "x".repeat(size);
    String sum = Base64.getEncoder().encodeToString(sha256(text));
    PutObjectRequest.Builder announced =
        PutObjectRequest.builder().ifNoneMatch("*").contentLength((long) size).checksumSHA256(sum);
    URI link = link(OWN, announced);
    String[] headers = {"If-None-Match", "*", "x-amz-checksum-sha256", sum};
    assertEquals(400, put(link, "y".repeat(size), headers));
    assertEquals(404, send(HttpRequest.newBuilder(get(LINKS, KEY))).statusCode());
    assertEquals(403, put(link, "shorter", headers));
    assertEquals(200, put(link, text, headers));
    assertEquals(412, put(link, text, headers));
    HttpResponse<String> there = send(HttpRequest.newBuilder(get(LINKS, KEY)));
    assertEquals(text, there.body());
    String tag = there.headers().firstValue("ETag").orElse("");
    assertTrue(tag.matches("\"[0-9a-f]{32}\""), tag);
    HttpRequest.Builder again =
        HttpRequest.newBuilder(get(LINKS, KEY)).header("If-None-Match", tag);
    assertEquals(304, send(again).statusCode());
    assertEquals(List.of("a"), files());
    assertEquals(Set.of(), others(temp.resolve("agent-sessions").resolve(KEY)));
  }

  private List<String> files() throws IOException {
    try (Stream<Path> all = Files.list(temp.resolve("agent-sessions/artifacts/s"))) {
      return all.map(file -> file.getFileName().toString()).toList();
    }
  }

  /// What those may do with a file who do not own it.
  private static Set<PosixFilePermission> others(Path file) throws IOException {
    Set<PosixFilePermission> others = EnumSet.copyOf(Files.getPosixFilePermissions(file));
    others.retainAll(PosixFilePermissions.fromString("------rwx"));
    return others;
  }

  private static byte[] sha256(String text) throws Exception {
    return MessageDigest.getInstance("SHA-256").digest(text.getBytes(US_ASCII));
  }

  @Test
  void aPageMayPutByALinkAndOnlyByALink() throws Exception {
    URI link = link(OWN, PutObjectRequest.builder());
    HttpResponse<String> may = send(asked(link));
    assertEquals(200, may.statusCode());
    assertEquals("*", may.headers().firstValue("Access-Control-Allow-Origin").orElse(""));
    String methods = may.headers().firstValue("Access-Control-Allow-Methods").orElse("");
    assertEquals("GET, HEAD, PUT", methods);
    assertEquals(403, send(asked(store.endpoint().resolve(link.getPath()))).statusCode());
    assertEquals(404, send(HttpRequest.newBuilder(get(LINKS, KEY))).statusCode());
  }

  /// The CORS preflight request of a browser before an upload.
  private static HttpRequest.Builder asked(URI uri) {
    return HttpRequest.newBuilder(uri)
        .method("OPTIONS", BodyPublishers.noBody())
        .headers("Origin", "https://page.example", "Access-Control-Request-Method", "PUT");
  }

  /// Otherwise a few of them would fill the service's memory.
  @Test
  void aBodyOfABadSignatureIsNotRead() throws Exception {
    String forged = link(OWN, PutObjectRequest.builder()).getRawQuery().replaceAll(".$", "x");
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), store.endpoint().getPort())) {
      socket.setSoTimeout(60_000);
      String head =
          "PUT /agent-sessions/%s?%s HTTP/1.1\r\nHost: %s\r\nContent-Length: 31000000\r\n\r\n"
              .formatted(KEY, forged, store.endpoint().getAuthority());
      socket.getOutputStream().write(head.getBytes(US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), US_ASCII);
      assertTrue(answer.startsWith("HTTP/1.1 403"), answer);
      assertTrue(answer.contains("\r\nConnection: close\r\n"), answer);
    }
  }

  @Test
  void aCrowdWithHalfHeadsKeepsNobodyOut() throws Exception {
    put(link(OWN, PutObjectRequest.builder()), "text");
    try (HeldConnections crowd = new HeldConnections(store.endpoint().getPort())) {
      crowd.join(1_500, "GET / HTTP/1.1\r\nX: ");
      assertEquals("text", send(HttpRequest.newBuilder(get(LINKS, KEY))).body());
      assertTrue(crowd.held() > 0, "the answer came only when the crowd had gone");
      // The last connections may still wait to be accepted, since the request came by an older one.
      long _ = eventually(crowd::held, held -> held <= 1_000);
    }
  }

  private int signedByHeader(String scope) throws Exception {
    URI uri = URI.create(store.endpoint() + "/agent-sessions/" + KEY);
    String authorization =
        "AWS4-HMAC-SHA256 Credential=%s, SignedHeaders=host, Signature=0".formatted(scope);
    return send(HttpRequest.newBuilder(uri)
            .header("Authorization", authorization)
            .PUT(BodyPublishers.ofString("x")))
        .statusCode();
  }

  /// Of uploads in parts the service makes exports and saved sandboxes; it may die meanwhile.
  @Test
  void partsOfAnUploadThatIsNeverCompletedGoAfterADay() throws Exception {
    String begun = send(HttpRequest.newBuilder(create()).POST(BodyPublishers.noBody())).body();
    String id = begun.replaceAll("(?s).*<UploadId>(.*)</UploadId>.*", "$1");
    put(part(id), "text");
    assertTrue(parts() > 0, begun);
    Instant now = Instant.now();
    try (UploadExpiry expiry = new UploadExpiry(temp.resolve(ObjectStore.BUCKET))) {
      expiry.remove(now.plus(Duration.ofHours(23)));
      assertTrue(parts() > 0, "they go too early");
      expiry.remove(now.plus(Duration.ofHours(25)));
      assertEquals(0, parts());
      expiry.remove(now.plus(Duration.ofHours(50)));
      assertFalse(isThereAnythingOfParts(), "folders are left");
    }
  }

  private long parts() throws IOException {
    try (Stream<Path> all = Files.walk(temp)) {
      return all.filter(Files::isRegularFile)
          .filter(file -> temp.relativize(file).toString().contains("mpus-"))
          .count();
    }
  }

  private boolean isThereAnythingOfParts() throws IOException {
    try (Stream<Path> all = Files.walk(temp)) {
      return all.anyMatch(path -> path.getFileName().toString().startsWith(".mpus-"));
    }
  }

  private URI create() throws Exception {
    try (S3Presigner presigner = presigner(OWN)) {
      return presigner
          .presignCreateMultipartUpload(presign ->
              presign
                  .signatureDuration(Duration.ofMinutes(5))
                  .createMultipartUploadRequest(
                      create -> create.bucket(ObjectStore.BUCKET).key(KEY)))
          .url()
          .toURI();
    }
  }

  private URI part(String id) throws Exception {
    try (S3Presigner presigner = presigner(OWN)) {
      return presigner
          .presignUploadPart(presign ->
              presign
                  .signatureDuration(Duration.ofMinutes(5))
                  .uploadPartRequest(
                      part -> part.bucket(ObjectStore.BUCKET).key(KEY).uploadId(id).partNumber(1)))
          .url()
          .toURI();
    }
  }

  private int put(URI link, String text, String... headers) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(link).PUT(BodyPublishers.ofString(text));
    return send(headers.length == 0 ? request : request.headers(headers)).statusCode();
  }

  private HttpResponse<String> send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return client.send(request.timeout(Duration.ofSeconds(60)).build(), BodyHandlers.ofString());
  }

  private URI link(Credentials by, PutObjectRequest.Builder put) throws Exception {
    try (S3Presigner presigner = presigner(by)) {
      return presigner
          .presignPutObject(presign ->
              presign
                  .signatureDuration(Duration.ofMinutes(5))
                  .putObjectRequest(put.bucket(ObjectStore.BUCKET).key(KEY).build()))
          .url()
          .toURI();
    }
  }

  private URI get(Credentials by, String key) throws Exception {
    try (S3Presigner presigner = presigner(by)) {
      return presigner
          .presignGetObject(presign ->
              presign
                  .signatureDuration(Duration.ofMinutes(5))
                  .getObjectRequest(get -> get.bucket(ObjectStore.BUCKET).key(key)))
          .url()
          .toURI();
    }
  }

  private S3Presigner presigner(Credentials by) {
    AwsBasicCredentials pair = AwsBasicCredentials.create(by.accessKeyId(), by.secretAccessKey());
    return S3Presigner.builder()
        .region(Region.US_EAST_1)
        .endpointOverride(store.endpoint())
        .credentialsProvider(StaticCredentialsProvider.create(pair))
        .serviceConfiguration(S3Configuration.builder().pathStyleAccessEnabled(true).build())
        .build();
  }
}
