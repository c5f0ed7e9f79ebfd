package agentsessions.chat.api;

import static agentsessions.chat.Pages.session;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.chat.StandIn;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests of the HTTP client: retries, errors, and the receivers of the key.
class ApiHttpTest {
  private final StandIn service = new StandIn();
  private final Api api = new Api(service.access(), notice -> {});

  ApiHttpTest() throws IOException {}

  @AfterEach
  void close() {
    service.close();
  }

  @Test
  void aSendThatIsRepeatedIsOneMessage() {
    service.answers("POST /sessions", 503, StandIn.problem("UNAVAILABLE", "later"));
    service.answers("POST /sessions", 201, session("t", "working"));
    assertEquals("s", api.create("shell", "echo \"ü\"\nsecond line", MessageInputs.NONE).id());
    assertEquals(2, service.requests().size());
    String key = service.requests().getFirst().idempotencyKey();
    assertFalse(key.isEmpty());
    assertEquals(key, service.requests().getLast().idempotencyKey());
  }

  @Test
  void aRequestSaysWhichClientItIsOf() {
    service.answers("GET /sessions/s", 200, session("t", "idle"));
    api.session("s");
    String userAgent = service.requests().getFirst().userAgent();
    assertTrue(userAgent.matches("agent-sessions-chat/[0-9a-z.]+"), userAgent);
  }

  @Test
  void retryAfterIsHonoured() {
    service.answers(
        "GET /sessions/s", 429, StandIn.problem("RATE_LIMITED", "later"), "Retry-After", "1");
    service.answers("GET /sessions/s", 200, session("t", "idle"));
    long began = System.nanoTime();
    api.session("s");
    assertTrue(Duration.ofNanos(System.nanoTime() - began).toMillis() >= 1000);
  }

  @Test
  void aRefusalIsSaidAndNotRepeated() {
    service.answers("GET /sessions/s", 404, StandIn.problem("NOT_FOUND", "Session not found"));
    ChatFailure failure = assertThrows(ChatFailure.class, () -> api.session("s"));
    assertEquals("NOT_FOUND: Session not found (request r)", failure.reason());
    assertEquals(1, service.requests().size());
  }

  @Test
  void aRefusedStreamWhoseAnswerBreaksOffIsAskedForAgain() {
    String events = "GET /sessions/s/threads/t/events";
    service.breaksOff(events, 422, "{");
    service.answers(events, 422, StandIn.problem("VALIDATION", "No such event"));
    ChatFailure failure = assertThrows(ChatFailure.class, () -> api.events("s", "t", ""));
    assertEquals("VALIDATION: No such event (request r)", failure.reason());
  }

  @Test
  void theKeyGoesToNobodyElse() throws IOException {
    try (StandIn other = new StandIn()) {
      URI link = URI.create(other.base() + "/sessions/s/messages");
      assertThrows(ChatFailure.class, () -> api.messages(link));
      assertEquals(0, other.requests().size());
    }
  }

  @Test
  void whatIsNoKeyIsNotRepeatedInTheError(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("key"), "secret\nvalue");
    ChatFailure failure =
        assertThrows(
            ChatFailure.class, () -> Access.of(new Access.Options(null, file, null), Map.of()));
    assertFalse(failure.reason().contains("secret"));
  }

  @Test
  void aBaseUrlMayLeaveOutTheVersion() {
    Map<String, String> environment =
        Map.of("AGENT_SESSIONS_URL", "http://127.0.0.1:9/", "AGENT_SESSIONS_KEY", StandIn.KEY);
    assertEquals(
        URI.create("http://127.0.0.1:9/rest/v1"),
        Access.of(new Access.Options(null, null, null), environment).base());
  }

  /// The user is told of the wait at the third attempt.
  @Test
  void aServiceThatWasNeverReachedIsNotWaitedFor() throws IOException {
    List<String> notices = new ArrayList<>();
    try (Socket deaf = new Socket()) {
      deaf.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      URI base = URI.create("http://127.0.0.1:%d/rest/v1".formatted(deaf.getLocalPort()));
      Api nobody =
          new Api(
              new Access(base, StandIn.KEY, "The key is from the test", List.of()), notices::add);
      ChatFailure failure =
          assertThrows(ChatFailure.class, () -> nobody.create("shell", "hi", MessageInputs.NONE));
      assertTrue(failure.reason().startsWith("No answer from " + base), failure.reason());
    }
    assertEquals(List.of(), notices, "it was tried again and again");
  }

  @Test
  void aServiceThatAnswersLateIsWaitedForAndTheUserIsTold() {
    List<String> notices = new ArrayList<>();
    Api told = new Api(service.access(), notices::add);
    service.answers("GET /sessions/s", 503, StandIn.problem("UNAVAILABLE", "later"));
    service.answers("GET /sessions/s", 503, StandIn.problem("UNAVAILABLE", "later"));
    service.answers("GET /sessions/s", 503, StandIn.problem("UNAVAILABLE", "later"));
    service.answers("GET /sessions/s", 200, session("t", "idle"));
    assertEquals("s", told.session("s").id());
    assertEquals(
        List.of("No answer yet from " + service.base() + ", trying on for two minutes."), notices);
  }

  @Test
  void theLinksOfAServiceForOthersAreFollowedByItsOwnAddress() {
    String list = "/sessions/s/artifacts?limit=100&kind=plan";
    String next = "https://agents.example/rest/v1/sessions/s/artifacts?cursor=c";
    service.answers(
        "GET " + list,
        200,
        "{\"items\": [], \"_links\": {\"next\": {\"href\": \"%s\"}}}".formatted(next));
    service.answers("GET /sessions/s/artifacts?cursor=c", 200, "{\"items\": [], \"_links\": {}}");
    URI named = URI.create("https://agents.example/rest/v1");
    Access access = new Access(service.base(), StandIn.KEY, "", List.of(), named);
    assertEquals(List.of(), new Api(access, _ -> {}).artifacts("s", "plan"));
    assertEquals("ApiKey " + StandIn.KEY, service.requests().getLast().key());
    assertEquals(2, service.requests().size());
  }

  @Test
  void aMistakeIsSaidOnce() {
    service.answers(
        "GET /sessions/x",
        422,
        """
        {"code": "VALIDATION", "message": "session_id must be a UUID", "request_id": "r", "details": [
         {"field": "session_id", "message": "must be a UUID"}, {"field": "limit", "message": "is too large"}]}\
        """);
    ChatFailure failure = assertThrows(ChatFailure.class, () -> api.session("x"));
    assertEquals(
        "VALIDATION: session_id must be a UUID; limit is too large (request r)", failure.reason());
  }
}
