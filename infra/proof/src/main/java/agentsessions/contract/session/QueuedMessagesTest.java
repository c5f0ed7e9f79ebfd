package agentsessions.contract.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.contract.Section;
import agentsessions.contract.SuiteTiming;
import agentsessions.contract.Target;
import agentsessions.talk.Client;
import agentsessions.talk.SessionHandle;
import agentsessions.talk.TurnHandle;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The delivery of a message while a turn runs: it may wait for that turn.
@Section(number = "4.3", title = "Send a follow-up")
final class QueuedMessagesTest {
  private final Client client = Target.client();

  @Tag("stack")
  @Test
  void aMessageCanWaitForTheTurnThatRuns() {
    String script = "echo kept > file; sleep 2; echo one";
    SessionHandle session = client.create(script);
    TurnHandle second = session.queue("cat file");
    assertEquals("one", session.first().text().strip());
    assertEquals("kept", second.text().strip());
    assertTrue(session.thread(second).path("position").isNull());
    assertTrue(session.load().path("running_thread_id").isNull());
    assertEquals(
        List.of(script, "one", "cat file", "kept"),
        session.texts("").stream().map(String::strip).toList());
  }

  @Test
  void withoutATurnThatRunsItBeginsAtOnce() {
    SessionHandle session = client.create("echo one");
    session.first().reply();
    assertEquals("two", session.queue("echo two").text().strip());
  }

  @Test
  void thoseThatWaitRunInOrderAndBehindOneThatInterrupts() {
    SessionHandle session = client.create("sleep 300");
    session.first().running();
    TurnHandle a = session.queue("echo a");
    TurnHandle b = session.queue("echo b");
    assertEquals(2, session.thread(b).path("position").asInt());
    session.cancel(b).ok();
    TurnHandle now = session.send("echo now");
    assertEquals("now", now.text().strip());
    assertEquals("a", a.text().strip());
    assertEquals("interrupted", TurnHandle.status(session.first().poll()));
    assertEquals(List.of("sleep 300", "echo now", "echo a"), session.texts("?role=user"));
    List<String> threads = new ArrayList<>();
    client
        .get(session.path() + "/threads")
        .ok()
        .path("items")
        .forEach(thread -> threads.add(thread.path("id").asText()));
    assertEquals(List.of(session.first().id(), now.id(), a.id(), b.id()), threads);
  }

  @Tag("stack")
  @Test
  void oneThatWaitsCanBeTakenOut() {
    SessionHandle session = client.create("sleep 300");
    session.first().running();
    TurnHandle a = session.queue("echo a");
    TurnHandle b = session.queue("echo b");
    assertEquals("queued", session.thread(a).path("status").asText());
    assertEquals(2, session.thread(b).path("position").asInt());
    JsonNode loaded = session.load();
    assertEquals("working", loaded.path("status").asText());
    assertEquals(b.id(), loaded.path("thread_id").asText());
    assertEquals(session.first().id(), loaded.path("running_thread_id").asText());
    for (int times = 0; times < 2; times++) {
      JsonNode gone = session.cancel(a).ok();
      assertEquals("cancelled", gone.path("status").asText());
      assertTrue(gone.path("position").isNull());
    }
    assertEquals(1, session.thread(b).path("position").asInt());
    assertEquals("[]", a.poll().path("items").toString());
    assertEquals(List.of("[echo a]"), texts(a));
    session.cancel(session.first()).refused(409, "THREAD_STARTED");
    JsonNode stopped = client.post(session.path() + "/interrupt", Map.of("queue", "keep")).ok();
    assertEquals(session.first().id(), stopped.path("id").asText());
    assertEquals("b", b.text().strip());
    session.cancel(b).refused(409, "THREAD_ENDED");
    assertEquals(List.of("sleep 300", "echo b"), session.texts("?role=user"));
  }

  /// The first one's work lasts longer than the time by which the id of one that waits lies ahead.
  @Test
  void oneThatWasTakenOutStopsNoEventsOfThoseAfterIt() {
    SessionHandle session = client.create(SuiteTiming.A_WHILE + "; echo one");
    TurnHandle gone = session.queue("echo gone");
    assertEquals(List.of("thread.queued"), types(session.path(gone)));
    session.cancel(gone).ok();
    assertEquals(List.of("thread.cancelled"), types(session.path(gone)));
    session.first().reply();
    session.send("echo two").reply();
    List<String> types = types(session.path());
    assertEquals(
        List.of("thread.completed", "thread.completed"),
        types.stream().filter(type -> type.startsWith("thread.")).toList());
    assertEquals("session.updated", types.getLast());
  }

  @Test
  void theStreamOfOneThatWasTakenOutEnds() {
    SessionHandle session = client.create("sleep 300");
    TurnHandle gone = session.queue("echo gone");
    session.cancel(gone).ok();
    String events = session.path(gone) + "/events";
    String stream = client.get(events, "Accept", "text/event-stream").expect(200).body();
    assertTrue(stream.contains("event: thread.cancelled\n"), stream);
    assertTrue(stream.endsWith("data: {\"reason\":\"final\"}\n\n"), stream);
    client.send("DELETE", session.path(), null).expect(204);
  }

  @Test
  void anInterruptCancelsThemToo() {
    SessionHandle session = client.create("sleep 300");
    session.first().running();
    TurnHandle next = session.queue("echo next");
    client
        .post(session.path() + "/interrupt", Map.of("if_thread_id", next.id()))
        .refused(409, "THREAD_CHANGED");
    client.post(session.path() + "/interrupt", Map.of("queue", "drop")).invalid("queue");
    for (int times = 0; times < 2; times++) {
      JsonNode thread = client.send("POST", session.path() + "/interrupt", null).ok();
      assertEquals(session.first().id(), thread.path("id").asText());
    }
    assertEquals("cancelled", TurnHandle.status(next.poll()));
    assertEquals("idle", session.load().path("status").asText());
  }

  @Test
  void atMostTwentyWaitAndADeletionEndsThemAll() {
    SessionHandle session = client.create("sleep 300");
    session.first().running();
    List<TurnHandle> waiting = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      waiting.add(session.queue("echo " + i));
    }
    client
        .post(session.path() + "/messages", Map.of("message", "echo more", "on_running", "queue"))
        .refused(409, "QUEUE_FULL");
    assertEquals(20, session.thread(waiting.getLast()).path("position").asInt());
    client.send("DELETE", session.path(), null).expect(204);
    for (TurnHandle turn : waiting) {
      client.send("GET", session.path(turn), null).refused(404, "NOT_FOUND");
    }
  }

  @Test
  void theNewestThreadIsTheOneToInsistOnAndARepeatIsTheSame() {
    SessionHandle session = client.create("sleep 300");
    TurnHandle next = session.queue("echo next");
    Map<String, Object> body =
        Map.of("message", "echo last", "on_running", "queue", "if_thread_id", next.id());
    client
        .post(
            session.path() + "/messages",
            Map.of("message", "echo no", "if_thread_id", session.first().id()))
        .refused(409, "THREAD_CHANGED");
    String[] key = {"Idempotency-Key", "queue-" + session.id()};
    JsonNode sent = client.post(session.path() + "/messages", body, key).expect(201).json();
    assertEquals(sent, client.post(session.path() + "/messages", body, key).expect(201).json());
    session.send("echo interrupts").reply();
    client
        .post(session.path() + "/messages", Map.of("message", "x", "on_running", "later"))
        .invalid("on_running");
  }

  /// The types of the events of a session or a thread so far.
  private List<String> types(String path) {
    List<String> types = new ArrayList<>();
    client
        .get(path + "/events")
        .ok()
        .path("items")
        .forEach(event -> types.add(event.path("type").asText()));
    return types;
  }

  private List<String> texts(TurnHandle turn) {
    List<String> texts = new ArrayList<>();
    client
        .get(turn.link().replaceAll("\\?.*", ""))
        .ok()
        .path("items")
        .forEach(message -> texts.add("[" + message.path("message").asText() + "]"));
    return texts;
  }
}
