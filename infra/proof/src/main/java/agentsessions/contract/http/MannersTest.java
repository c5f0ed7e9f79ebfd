package agentsessions.contract.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.contract.Route;
import agentsessions.contract.Section;
import agentsessions.contract.Target;
import agentsessions.talk.ApiResponse;
import agentsessions.talk.Client;
import agentsessions.talk.SessionHandle;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The rules of HTTP that clients, caches and proxies rely on, for every answer.
@Section(number = "api", title = "HTTP")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class MannersTest {
  private static final String LONG = "echo " + "long ".repeat(500);

  private final Client client = Target.client();

  private SessionHandle session;

  private String page;

  /// The thread is final only after its sandbox was saved; until then its answers may change.
  @BeforeAll
  void haveAFinalThread() {
    session = client.create(LONG);
    session.first().reply();
    page = session.path() + "/threads/" + session.first().id() + "/messages";
    client
        .await("a sandbox that is saved")
        .until(
            () -> client.get(page).ok(),
            said -> said.at("/thread/sandbox").asText().equals("saved"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "text/plain",
        "text/html",
        "application/xml",
        "application/*",
        "application/problem+json",
        "application/json;charset=UTF-16;q=0.1",
        "nonsense"
      })
  void whateverIsAcceptedJsonIsServed(String accept) {
    for (String path : new String[] {"/health", "/agents", session.path(), "/nowhere"}) {
      ApiResponse answer = client.get(path, "Accept", accept);
      assertEquals(path.equals("/nowhere") ? 404 : 200, answer.status(), answer::toString);
      assertEquals("application/json", answer.header("Content-Type"));
    }
  }

  @Tag("stack")
  @Test
  void headIsGetWithoutTheBody() {
    for (String path : new String[] {"/health", "/openapi.yaml", session.path(), page}) {
      ApiResponse get = client.get(path);
      ApiResponse head = client.sendUnchecked("HEAD", path);
      assertEquals(get.status(), head.status());
      assertEquals("", head.body());
      assertEquals(get.header("Content-Type"), head.header("Content-Type"), path);
      assertEquals(
          get.body().getBytes(StandardCharsets.UTF_8).length,
          Integer.parseInt(head.header("Content-Length")),
          path);
    }
    assertEquals(404, client.sendUnchecked("HEAD", "/sessions/" + Client.unknownId()).status());
  }

  @Tag("stack")
  @Test
  void answersAreNotKept() {
    for (String path : new String[] {"/health", "/agents", session.path(), "/nowhere"}) {
      assertEquals("no-store", client.get(path).header("Cache-Control"), path);
    }
    assertEquals("no-store", client.with(null).get("/me").header("Cache-Control"));
  }

  @Tag("stack")
  @Test
  void whatAFinalThreadSaidIsAskedForAgainByItsTag() {
    String filtered = session.path() + "/messages?thread_id=" + session.first().id();
    for (String path : new String[] {page, filtered, "/openapi.yaml"}) {
      ApiResponse first = client.get(path);
      assertTrue(first.header("Cache-Control").contains("no-cache"), first::toString);
      String tag = first.header("ETag");
      ApiResponse again = client.get(path, "If-None-Match", "\"other\", " + tag).expect(304);
      assertEquals("", again.body());
      assertEquals(tag, again.header("ETag"));
      client.get(path, "If-None-Match", "\"other\"").expect(200);
    }
  }

  @Test
  void whatMayStillChangeHasNoTag() {
    SessionHandle working = client.create("sleep 300");
    String thread = "/threads/" + working.first().id();
    for (String path : new String[] {thread, thread + "/messages", "/messages", ""}) {
      ApiResponse answer = client.get(working.path() + path);
      assertFalse(answer.headers().firstValue("ETag").isPresent(), path);
    }
    client.send("POST", working.path() + "/interrupt", null).expect(200);
  }

  @Test
  void aLongAnswerIsPackedForWhoTakesIt() throws IOException {
    HttpResponse<byte[]> packed = client.bytes(page, "Accept-Encoding", "gzip");
    assertEquals("gzip", packed.headers().firstValue("Content-Encoding").orElseThrow());
    assertTrue(packed.headers().allValues("Vary").toString().contains("Accept-Encoding"));
    byte[] plain = client.get(page).body().getBytes(StandardCharsets.UTF_8);
    assertTrue(packed.body().length < plain.length / 2);
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(packed.body()))) {
      assertArrayEquals(plain, in.readAllBytes());
    }
    HttpResponse<byte[]> little = client.bytes("/me", "Accept-Encoding", "gzip");
    assertFalse(little.headers().firstValue("Content-Encoding").isPresent());
  }

  @Tag("stack")
  @Test
  void aPackedBodyIsUnpacked() throws IOException {
    byte[] body = packed("{\"agent_name\":\"shell\",\"message\":\"echo packed\"}");
    ApiResponse answer = client.post("/sessions", body, "Content-Encoding", "gzip").expect(201);
    assertEquals("packed", new SessionHandle(client, answer.json()).first().text().strip());
  }

  @Test
  void aPackedBodyIsHeldToItsUnpackedSize() throws IOException {
    byte[] body = packed("\"" + "x".repeat(1 << 20) + "\"");
    client.post("/sessions", body, "Content-Encoding", "gzip").refused(413, "TOO_LARGE");
    byte[] cut = new byte[] {body[0], body[1], body[2], 0};
    client.post("/sessions", cut, "Content-Encoding", "gzip").refused(400, "BAD_REQUEST");
  }

  @ParameterizedTest
  @ValueSource(strings = {"br", "deflate", "gzip, gzip", "zstd"})
  void aBodyInAnotherCodingIsRefused(String coding) {
    for (Route route : Route.withBody("{\"message\":\"x\",\"agent_name\":\"shell\"}")) {
      route.send(client, "Content-Encoding", coding).refused(415, "UNSUPPORTED_MEDIA_TYPE");
    }
  }

  @Tag("stack")
  @Test
  void aBrowserMayAskFirstWithoutAKey() {
    for (String path : new String[] {"/sessions", session.path(), "/nowhere"}) {
      ApiResponse answer = client.with(null).sendUnchecked("OPTIONS", path);
      assertEquals(204, answer.status(), answer::toString);
      assertEquals("", answer.body());
    }
  }

  @Test
  void anAgentNameOfAnyLengthFindsNothing() {
    for (String name : new String[] {"nobody", "x".repeat(3000), "A%20B", "%23", "%00"}) {
      assertEquals("[]", client.get("/sessions?agent_name=" + name).ok().path("items").toString());
    }
  }

  private static byte[] packed(String text) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream packed = new GZIPOutputStream(out)) {
      packed.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return out.toByteArray();
  }
}
