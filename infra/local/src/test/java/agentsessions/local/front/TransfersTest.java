package agentsessions.local.front;

import static agentsessions.local.Eventually.eventually;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.local.aws.Credentials;
import agentsessions.local.aws.ObjectStore;
import agentsessions.local.aws.SignedLinks;
import agentsessions.local.wire.ConnectionLimit;
import agentsessions.local.wire.HeldConnections;
import agentsessions.local.wire.HttpListener;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Configuration;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

/// Tests of uploads and downloads of a service for other machines: with valid links and without,
/// and how slow they may be. The listener takes twenty connections.
class TransfersTest {
  private static final int PLACES = 20;
  private static final int WATCHERS = 8;
  private static final int FIFTH = 4;
  private static final int PART = 64 << 10;
  private static final int LENGTH = 3 * PART;
  private static final URI SIGNED = URI.create("http://agents.example");
  private static final Credentials OWN = new Credentials("LOCALOWN", "secret");
  private static final String HOST = " HTTP/1.1\r\nHost: h\r\n";
  private static final String KEY = "Authorization: ApiKey k\r\n";
  private static final String UNSIGNED =
      "PUT /agent-sessions/uploads/w/1?X-Amz-Signature=0" + HOST + "Content-Length: 1000000\r\n";

  private final AtomicLong now = new AtomicLong();
  private final ConnectionLimit connections =
      new ConnectionLimit(PLACES, Duration.ofSeconds(10), Duration.ofSeconds(60), now::get);
  private final Store store = new Store();
  private final CountDownLatch events = new CountDownLatch(1);
  private final AtomicInteger watching = new AtomicInteger();
  private final CyclicBarrier together = new CyclicBarrier(FIFTH);
  private HttpListener bucket;
  private ApiServer front;

  @BeforeEach
  void serve() throws IOException {
    Duration patience = Duration.ofHours(1);
    bucket = new HttpListener(0, new ConnectionLimit(1_000, patience, patience, System::nanoTime));
    bucket.serve(
        store,
        (_, _, callback) -> {
          callback.succeeded();
          return true;
        });
    front = new ApiServer(new HttpListener(0, connections));
    front.serveOthers(
        new Gateway(
            (in, out, context) -> tell(in, out),
            (in, out, context) -> know(out),
            new StreamLimit(WATCHERS, WATCHERS)),
        "",
        URI.create("http://127.0.0.1:" + bucket.port()),
        SIGNED,
        new SignedLinks(OWN, new Credentials("LOCALDOWN", "secret")));
  }

  @AfterEach
  void close() {
    events.countDown();
    front.close();
    bucket.close();
  }

  @Test
  void anUploadWithoutAGoodLinkIsRefusedBeforeItsBodyAndItsConnectionEnds() throws IOException {
    try (HeldConnections crowd = new HeldConnections(front.port())) {
      for (int i = 0; i < 10; i++) {
        crowd.join(10, UNSIGNED + "\r\nx");
        assertEquals("HTTP/1.1 200 OK", ask("/rest/v1/me"));
      }
      long _ = eventually(crowd::held, held -> held == 0);
    }
    assertEquals(0, store.asked.get());
  }

  @Test
  void aConnectionThatReadsTheDocumentationIsIdleSinceItsLastResponse() throws IOException {
    try (Socket reader = new Socket(InetAddress.getLoopbackAddress(), front.port())) {
      reader.setSoTimeout(60_000);
      for (int i = 0; i < 3; i++) {
        assertEquals("HTTP/1.1 200 OK", head(reader));
        now.addAndGet(TimeUnit.SECONDS.toNanos(9));
        connections.tidy();
      }
      now.addAndGet(TimeUnit.SECONDS.toNanos(2));
      connections.tidy();
      assertEquals(-1, reader.getInputStream().read());
    }
  }

  /// The status line of a request that leaves its connection open.
  private static String head(Socket reader) throws IOException {
    reader.getOutputStream().write(("HEAD /docs/docs.js" + HOST + "\r\n").getBytes(ISO_8859_1));
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = reader.getInputStream().read();
      assertTrue(next >= 0, "the connection was closed");
      head.append((char) next);
    }
    return head.substring(0, head.indexOf("\r\n"));
  }

  @Test
  void aFifthOfThePlacesIsForRequestsThatDoNotWait() throws Exception {
    try (HeldConnections crowd = new HeldConnections(front.port())) {
      crowd.join(WATCHERS, "GET /rest/v1/sessions/s/events?wait=20" + HOST + KEY + "\r\n");
      int _ = eventually(watching::get, all -> all == WATCHERS);
      crowd.join((PLACES - WATCHERS) / 2, upload("") + "x");
      crowd.join((PLACES - WATCHERS) / 2, download());
      int _ = eventually(store.inHand::get, all -> all == PLACES - WATCHERS);
      areAnsweredTogether();
      int _ =
          eventually(connections::count, all -> all == PLACES - FIFTH); // the answered have gone
      crowd.join(PLACES, "GET /rest/v1/me" + HOST + "X: ");
      crowd.join(PLACES, "POST /rest/v1/me" + HOST + KEY + "Content-Length: 9\r\n\r\n");
      long _ = eventually(crowd::held, held -> held == PLACES); // all have come
      areAnsweredTogether();
      assertEquals(WATCHERS, watching.get());
    }
  }

  @Test
  void anUploadThatGoesOnMayTakeItsTime() throws IOException {
    try (Socket socket = connected()) {
      OutputStream out = socket.getOutputStream();
      out.write(upload("").getBytes(ISO_8859_1));
      for (int sent = 0; sent < LENGTH; sent += PART) {
        out.write(new byte[PART]);
        long came = (long) sent + PART;
        long _ = eventually(store.came::get, all -> all == came);
        pass(Duration.ofSeconds(59));
      }
      assertEquals("HTTP/1.1 200 OK", line(socket));
    }
  }

  @Test
  void anUploadThatHardlyGoesOnEnds() throws IOException {
    try (HeldConnections slow = new HeldConnections(front.port())) {
      slow.join(1, upload("") + "x".repeat(PART / 2));
      long _ = eventually(store.came::get, all -> all == PART / 2);
      pass(Duration.ofSeconds(61));
      long _ = eventually(slow::held, held -> held == 0);
    }
  }

  @Test
  void aDownloadThatIsNotTakenEnds() throws IOException {
    try (HeldConnections slow = new HeldConnections(front.port())) {
      slow.join(1, download());
      int _ = eventually(store.inHand::get, all -> all == 1);
      int _ =
          eventually(
              () -> {
                pass(Duration.ofSeconds(61)); // again: the sockets' buffers may still take some
                return store.inHand.get();
              },
              all -> all == 0);
      long _ = eventually(slow::held, held -> held == 0);
    }
  }

  @Test
  void whoAsksBeforeItSendsItsBodyIsTold() throws IOException {
    String expect = "Expect: 100-continue\r\n";
    try (Socket socket = connected()) {
      socket.getOutputStream().write(upload(expect).getBytes(ISO_8859_1));
      BufferedReader answer = reader(socket);
      assertEquals("HTTP/1.1 100 Continue", answer.readLine());
      assertEquals("", answer.readLine());
      socket.getOutputStream().write(new byte[LENGTH]);
      assertEquals("HTTP/1.1 200 OK", answer.readLine());
      assertEquals(LENGTH, store.came.get());
    }
    try (Socket socket = connected()) {
      socket.getOutputStream().write((UNSIGNED + expect + "\r\n").getBytes(ISO_8859_1));
      assertEquals("HTTP/1.1 403 Forbidden", line(socket));
    }
  }

  private void pass(Duration time) {
    now.addAndGet(time.toNanos());
    connections.tidy();
  }

  /// Sends requests that are answered only once all of them are being worked on.
  private void areAnsweredTogether() throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<String>> all = new ArrayList<>();
      for (int i = 0; i < FIFTH; i++) {
        all.add(threads.submit(() -> ask("/rest/v1/together")));
      }
      for (Future<String> each : all) {
        assertEquals("HTTP/1.1 200 OK", each.get());
      }
    }
  }

  private String ask(String path) throws IOException {
    try (Socket socket = connected()) {
      String head = "GET " + path + HOST + KEY + "Connection: close\r\n\r\n";
      socket.getOutputStream().write(head.getBytes(ISO_8859_1));
      return line(socket);
    }
  }

  private Socket connected() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), front.port());
    socket.setSoTimeout(30_000);
    return socket;
  }

  private static String line(Socket socket) throws IOException {
    return String.valueOf(reader(socket).readLine());
  }

  private static BufferedReader reader(Socket socket) throws IOException {
    return new BufferedReader(new InputStreamReader(socket.getInputStream(), ISO_8859_1));
  }

  /// The request head of a signed upload.
  private static String upload(String header) {
    try (S3Presigner presigner = presigner()) {
      URI link =
          URI.create(
              presigner
                  .presignPutObject(of ->
                      of.signatureDuration(Duration.ofHours(1))
                          .putObjectRequest(put ->
                              put.bucket(ObjectStore.BUCKET)
                                  .key("uploads/w/1")
                                  .contentLength((long) LENGTH)))
                  .url()
                  .toString());
      return "PUT %s?%s%sContent-Length: %d\r\n%s\r\n"
          .formatted(link.getRawPath(), link.getRawQuery(), HOST, LENGTH, header);
    }
  }

  private static String download() {
    try (S3Presigner presigner = presigner()) {
      URI link =
          URI.create(
              presigner
                  .presignGetObject(of ->
                      of.signatureDuration(Duration.ofHours(1))
                          .getObjectRequest(
                              get -> get.bucket(ObjectStore.BUCKET).key("artifacts/s/a")))
                  .url()
                  .toString());
      return "GET %s?%s%s\r\n".formatted(link.getRawPath(), link.getRawQuery(), HOST);
    }
  }

  private static S3Presigner presigner() {
    return S3Presigner.builder()
        .region(Region.US_EAST_1)
        .endpointOverride(SIGNED)
        .credentialsProvider(
            StaticCredentialsProvider.create(
                AwsBasicCredentials.create(OWN.accessKeyId(), OWN.secretAccessKey())))
        .serviceConfiguration(S3Configuration.builder().pathStyleAccessEnabled(true).build())
        .build();
  }

  private void tell(InputStream in, OutputStream out) throws IOException {
    String event = new String(in.readAllBytes(), UTF_8);
    try {
      if (event.contains("/events\"")) {
        watching.incrementAndGet();
        events.await();
      } else if (event.contains("/together\"")) {
        int _ = together.await(30, TimeUnit.SECONDS);
      }
    } catch (InterruptedException | BrokenBarrierException | TimeoutException alone) {
      throw new IOException(alone);
    }
    out.write("{\"statusCode\":200,\"body\":\"hello\"}".getBytes(UTF_8));
  }

  private static void know(OutputStream out) throws IOException {
    out.write(
        """
        {"principalId": "p", "usageIdentifierKey": "u", "context": {"workspace": "w"},
         "policyDocument": {"Statement": [{"Effect": "Allow"}]}}
        """
            .getBytes(UTF_8));
  }

  /// A store that accepts every upload and answers downloads with an endless body.
  private static final class Store extends Handler.Abstract {
    final AtomicInteger asked = new AtomicInteger();
    final AtomicInteger inHand = new AtomicInteger();
    final AtomicLong came = new AtomicLong();

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
      asked.incrementAndGet();
      inHand.incrementAndGet();
      try {
        if (request.getMethod().equals("PUT")) {
          take(Content.Source.asInputStream(request));
        } else {
          give(Content.Sink.asOutputStream(response));
        }
        callback.succeeded();
      } catch (IOException gone) {
        callback.failed(gone);
      } finally {
        inHand.decrementAndGet();
      }
      return true;
    }

    private void take(InputStream body) throws IOException {
      byte[] chunk = new byte[PART];
      for (int count = body.read(chunk); count >= 0; count = body.read(chunk)) {
        came.addAndGet(count);
      }
    }

    private static void give(OutputStream out) throws IOException {
      while (true) {
        out.write(new byte[PART]);
      }
    }
  }
}
