package agentsessions.contract.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import agentsessions.contract.Section;
import agentsessions.contract.SuiteTiming;
import agentsessions.contract.Target;
import agentsessions.talk.ApiResponse;
import agentsessions.talk.Client;
import agentsessions.talk.PresignedLink;
import agentsessions.talk.SessionHandle;
import agentsessions.talk.TurnHandle;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// `Idempotency-Key` on the two requests that send a message: a repeat is answered, not done again.
@Section(number = "api", title = "Idempotency-Key")
final class IdempotencyTest {
  private static final Map<String, String> HELLO =
      Map.of("agent_name", "shell", "message", "echo hello");

  private final Client client = Target.client();
  private final String key = Client.unknownId();

  @Tag("stack")
  @Test
  void aRepeatedCreateIsTheFirstAnswerAgain() {
    ApiResponse first = create(HELLO).expect(201);
    assertFalse(first.headers().firstValue("Idempotent-Replayed").isPresent());
    new SessionHandle(client, first.json()).first().reply();
    ApiResponse again = create(HELLO).expect(201);
    assertEquals("true", again.header("Idempotent-Replayed"));
    assertEquals(first.body(), again.body());
  }

  @Test
  void aRepeatedFollowUpIsTheFirstAnswerAgain() {
    SessionHandle session = client.create("echo one");
    ApiResponse first = follow(session, "echo two").expect(201);
    ApiResponse again = follow(session, "echo two").expect(201);
    assertEquals("true", again.header("Idempotent-Replayed"));
    assertEquals(first.body(), again.body());
    assertEquals(2, session.messages("?role=user").path("items").size());
  }

  @Test
  void aRepeatIsTheFirstAnswerAgainWhateverBecameOfTheSession() {
    Map<String, Object> titled =
        Map.of(
            "agent_name", "shell",
            "message", "echo one",
            "title", "A title",
            "metadata", Map.of("thread_id", "mine"));
    ApiResponse created = create(titled).expect(201);
    SessionHandle session = new SessionHandle(client, created.json());
    session.first().reply();
    ApiResponse sent = follow(session, "echo plan > PLAN.md; echo two").expect(201);
    Runnable repeats =
        () -> {
          assertRepeats(created, create(titled));
          assertRepeats(sent, follow(session, "echo plan > PLAN.md; echo two"));
        };
    repeats.run();
    new TurnHandle(client, sent.json().at("/_links/final_message/href").asText()).reply();
    repeats.run();
    client
        .send(
            "PATCH",
            session.path(),
            "{\"title\":\"Another\",\"metadata\":null,\"is_archived\":true}")
        .ok();
    repeats.run();
    String file = session.artifact(session.planArtifactIds().getFirst()).path("url").asText();
    client.send("DELETE", session.path(), null).expect(204);
    repeats.run();
    SuiteTiming.until(
        "the end of " + file,
        () -> Optional.of(PresignedLink.download(file)).filter(r -> r.statusCode() == 404));
    repeats.run();
  }

  @Test
  void aRepeatIsAnsweredBeforeTheThreadIsCompared() {
    SessionHandle session = client.create("echo one");
    Map<String, String> body = Map.of("message", "echo two", "if_thread_id", session.first().id());
    String path = session.path() + "/messages";
    ApiResponse first = client.post(path, body, "Idempotency-Key", key).expect(201);
    ApiResponse again = client.post(path, body, "Idempotency-Key", key).expect(201);
    assertEquals(first.body(), again.body());
  }

  @Test
  void theSameKeyWithAnotherBodyIsAConflict() {
    create(HELLO).expect(201);
    create(Map.of("agent_name", "shell", "message", "echo other"))
        .refused(409, "IDEMPOTENCY_KEY_REUSED");
  }

  @Test
  void theSameKeyOnAnotherPathIsAnotherKey() {
    SessionHandle one = client.create("echo one");
    SessionHandle two = client.create("echo two");
    assertNotEquals(
        follow(one, "echo x").expect(201).body(), follow(two, "echo x").expect(201).body());
    create(HELLO).expect(201);
  }

  @Test
  void theSameKeyInAnotherWorkspaceIsAnotherKey() {
    String id = create(HELLO).expect(201).json().path("id").asText();
    ApiResponse other = Target.otherClient().post("/sessions", HELLO, "Idempotency-Key", key);
    assertNotEquals(id, other.expect(201).json().path("id").asText());
  }

  @Test
  void aRefusedRequestDoesNotUseUpItsKey() {
    create(Map.of("agent_name", "shell", "message", " ")).invalid("message");
    create(HELLO).expect(201);
  }

  @Tag("stack")
  @Test
  void manyAtOnceMakeOneSession() throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<ApiResponse>> answers =
          IntStream.range(0, Target.atOnce())
              .mapToObj(_ -> threads.submit(() -> create(HELLO)))
              .toList();
      assertEquals(
          1, answers.stream().map(IdempotencyTest::body).collect(Collectors.toSet()).size());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "tab\there"})
  void aKeyOfOtherCharactersIsInvalid(String odd) {
    client.post("/sessions", HELLO, "Idempotency-Key", odd).invalid("Idempotency-Key");
  }

  @Test
  void aKeyHasUpTo255Characters() {
    client.post("/sessions", HELLO, "Idempotency-Key", "k".repeat(255)).expect(201);
    client.post("/sessions", HELLO, "Idempotency-Key", "k".repeat(256)).invalid("Idempotency-Key");
  }

  private static void assertRepeats(ApiResponse first, ApiResponse again) {
    assertEquals("true", again.expect(201).header("Idempotent-Replayed"));
    assertEquals(first.body(), again.body());
    assertEquals(first.headers().firstValue("Location"), again.headers().firstValue("Location"));
  }

  private ApiResponse create(Map<String, ?> body) {
    return client.post("/sessions", body, "Idempotency-Key", key);
  }

  private ApiResponse follow(SessionHandle session, String script) {
    return client.post(
        session.path() + "/messages", Map.of("message", script), "Idempotency-Key", key);
  }

  private static String body(Future<ApiResponse> answer) {
    try {
      return answer.get().expect(201).body();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
