package agentsessions.local.front;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.local.front.HttpMessage.Answer;
import agentsessions.local.front.HttpMessage.Header;
import agentsessions.local.front.HttpMessage.Request;
import agentsessions.local.front.HttpMessage.Sender;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Tests of one stream that is assembled from many responses.
class OpenStreamTest {
  private static final String EVENT =
      "event: message.created\nid: %s\ndata: {\"text\":\"event: end\"}\n\n";
  private static final String END = "event: end\nid: %s\ndata: {\"reason\":\"%s\"}\n\n";

  private final Deque<Answer> answers = new ArrayDeque<>();
  private final List<Request> asked = new ArrayList<>();
  private final AtomicInteger left = new AtomicInteger();

  @Test
  void theEndsBetweenTheAnswersAreNotShown() throws IOException {
    answer(EVENT.formatted("a") + END.formatted("a.1", "size"));
    answer(EVENT.formatted("b") + END.formatted("b.1", "wait"));
    answer(END.formatted("b.2", "wait"));
    answer(EVENT.formatted("c") + END.formatted("c.1", "final"));
    String told = all(stream("types=x&types=y&snapshot=true&after=first"));
    assertEquals(
        "retry: 1000\n\n"
            + EVENT.formatted("a")
            + EVENT.formatted("b")
            + EVENT.formatted("c")
            + END.formatted("c.1", "final"),
        told);
    assertEquals(1, left.get());
  }

  @Test
  void eachAnswerGoesOnWhereTheLastOneEnded() throws IOException {
    answer(EVENT.formatted("a") + END.formatted("a.1", "wait"));
    answer(END.formatted("a.2", "wait"));
    answer(END.formatted("a.3", "final"));
    String _ = all(stream("types=x&types=y&snapshot=true&after=first"));
    assertEquals(
        List.of(
            "types=x&types=y&snapshot=true&after=first&wait=0",
            "types=x&types=y&wait=10",
            "types=x&types=y&wait=10"),
        asked.stream().map(Request::query).toList());
    assertEquals(
        List.of(List.of("old"), List.of("a.1"), List.of("a.2")),
        asked.stream().map(request -> request.values("last-event-id")).toList());
  }

  @Test
  void aSessionThatIsGoneEndsTheStream() throws IOException {
    answer(EVENT.formatted("a") + END.formatted("a.1", "wait"));
    answers.add(new Answer(404, List.of(), "{}".getBytes(UTF_8)));
    assertTrue(all(stream("")).endsWith(END.formatted("a.1", "deleted")));
  }

  @Test
  void aServiceThatCannotAnswerLeavesTheRestToTheClient() throws IOException {
    answer(EVENT.formatted("a") + END.formatted("a.1", "wait"));
    answers.add(new Answer(503, List.of(), "{}".getBytes(UTF_8)));
    assertEquals("retry: 1000\n\n" + EVENT.formatted("a"), all(stream("")));
  }

  @Test
  void aRefusalIsAnAnswerLikeAnyOther() throws IOException {
    answers.add(new Answer(422, List.of(), "{}".getBytes(UTF_8)));
    Answer answer = stream("").begin();
    assertEquals(422, answer.status());
    assertTrue(answer.stream().isEmpty());
    assertEquals(1, left.get());
  }

  @Test
  void onlyWhoLeavesItToUsGetsOne() {
    assertTrue(OpenStream.isWanted(request("GET", "text/event-stream", "")));
    assertFalse(OpenStream.isWanted(request("GET", "text/event-stream", "wait=5")));
    assertFalse(OpenStream.isWanted(request("GET", "application/json", "")));
    assertFalse(OpenStream.isWanted(request("HEAD", "text/event-stream", "")));
  }

  @Test
  void whoWaitsForOneAnswerTakesRoomToo() {
    assertTrue(OpenStream.waits(request("HEAD", "text/event-stream", "")));
    assertTrue(OpenStream.waits(request("GET", "application/json", "wait=5")));
    assertFalse(OpenStream.waits(request("GET", "application/json", "")));
    assertFalse(OpenStream.waits(request("HEAD", "text/event-stream", "wait=0")));
  }

  @Test
  void aWorkspaceCannotTakeAllTheRoom() {
    StreamLimit streams = new StreamLimit();
    List<Runnable> leave = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      leave.add(streams.enter("one"));
    }
    assertThrows(GatewayResponse.class, () -> streams.enter("one"));
    Runnable other = streams.enter("other");
    other.run();
    leave.getFirst().run();
    leave.getFirst().run();
    leave.add(streams.enter("one"));
    assertThrows(GatewayResponse.class, () -> streams.enter("one"));
  }

  private static String all(OpenStream stream) throws IOException {
    try (stream) {
      Answer first = stream.begin();
      StringBuilder told = new StringBuilder(new String(first.body(), UTF_8));
      for (Optional<byte[]> part = stream.next(); part.isPresent(); part = stream.next()) {
        told.append(new String(part.get(), UTF_8));
      }
      return told.toString();
    }
  }

  private void answer(String events) {
    answers.add(
        new Answer(
            200,
            List.of(new Header("Content-Type", "text/event-stream")),
            ("retry: 1000\n\n" + events).getBytes(UTF_8)));
  }

  private OpenStream stream(String query) {
    return new OpenStream(
        request("GET", "text/event-stream", query),
        request -> {
          asked.add(request);
          return answers.remove();
        },
        () -> "good",
        left::incrementAndGet);
  }

  private static Request request(String method, String accepted, String query) {
    return new Request(
        "id",
        method,
        "/rest/v1/sessions/s/events",
        query,
        List.of(new Header("Accept", accepted), new Header("Last-Event-ID", "old")),
        "127.0.0.1",
        "HTTP/1.1",
        InputStream.nullInputStream(),
        new Sender(() -> {}, () -> {}, () -> {}));
  }
}
