package agentsessions.api.events;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.aws.InMemoryAws;
import agentsessions.aws.InMemoryTable;
import agentsessions.aws.MeteredTable;
import agentsessions.session.Artifact;
import agentsessions.session.Message;
import agentsessions.session.MessageKind;
import agentsessions.session.Refusal;
import agentsessions.session.Turn;
import agentsessions.session.id.SessionId;
import agentsessions.session.request.Request;
import agentsessions.store.message.History;
import agentsessions.table.ChangeSignal;
import agentsessions.turn.TornTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Events of a session whose turns end in every way, held against what the listings say.
class LiveEventsTest {
  private final EventStory story = new EventStory();

  @Test
  void aStreamCutAfterAnyByteGoesOnWithoutLossOrRepetition() {
    story.tellAll();
    byte[] whole = story.stream("").getBytes(UTF_8);
    List<String> all = named(EventStory.durable(new String(whole, UTF_8)));
    assertEquals(listed(), all);
    Map<String, List<String>> rests = new HashMap<>();
    for (int cut = 0; cut <= whole.length; cut++) {
      String seen = new String(whole, 0, cut, UTF_8);
      List<String> received = new ArrayList<>(named(EventStory.durable(seen)));
      received.addAll(
          rests.computeIfAbsent(
              EventStory.lastId(seen), id -> named(EventStory.durable(story.stream(id)))));
      assertEquals(all, received, "cut after " + cut);
    }
  }

  @Test
  void idsComeOnceAndCompareAsTheyCame() {
    story.tellAll();
    List<String> ids =
        EventStory.durable(story.stream("")).stream().map(EventStory.StreamedEvent::id).toList();
    assertEquals(ids, ids.stream().sorted().toList());
    assertEquals(ids.size(), new HashSet<>(ids).size());
  }

  @Test
  void twoWatchersSeeTheSame() {
    story.tellAll();
    assertEquals(ids(story.page("", "0")), ids(story.page("", "0")));
  }

  @Test
  void whatOneWatcherReadServesTheOthersUntilSomethingHappens() {
    MeteredTable table = new MeteredTable(new InMemoryTable(InMemoryAws.TABLE));
    EventStory story = new EventStory(table);
    Turn turn = story.completed("one", 1);
    try (ChangeSignal.Watch open = story.aws().signal().watch(turn.key().sessionKey())) {
      String alone = story.stream("");
      assertTrue(table.calls() > 0);
      assertEquals(alone, story.stream(""));
      assertEquals(0, table.calls());
      List<EventStory.StreamedEvent> all = EventStory.durable(alone);
      assertEquals(all.subList(1, 4), EventStory.durable(story.stream(all.getFirst().id())));
      assertTrue(table.calls() > 0, "another place is another page");
      story.followUp("two");
      assertEquals(5, EventStory.durable(story.stream("")).size());
      assertTrue(open.await(Duration.ZERO));
    }
  }

  @Test
  void artifactsComeBeforeTheReplyAndTheReplyBeforeTheEnd() {
    Turn _ = story.completed("one", 1);
    assertEquals(
        List.of("message.created", "artifact.created", "message.created", "thread.completed"),
        story.durableTypes(""));
  }

  @Test
  void anInterruptedTurnEndsBeforeItsFollowUpIsSaid() {
    story.running("one");
    story.followUp("two");
    assertEquals(
        List.of("message.created", "thread.interrupted", "message.created"),
        story.durableTypes(""));
  }

  @Test
  void followingOnSaysNothingTwiceNotEvenTheState() {
    story.running("one");
    EventResponse first = story.page("", "0");
    assertEquals(List.of("message.created", "session.updated", "thread.running"), types(first));
    assertEquals(List.of(), types(story.page(first.nextAfter(), "0")));
    story.say("a", "b");
    EventResponse second = story.page(first.nextAfter(), "0");
    assertEquals(List.of("message.created", "message.created"), types(second));
    story.followUp("two");
    assertEquals(
        List.of("thread.interrupted", "message.created", "session.updated", "thread.queued"),
        types(story.page(second.nextAfter(), "0")));
  }

  @Test
  void whoIsToldAtOnceHearsWhatHappenedFirstAndTheStateNext() {
    story.running("one");
    EventResponse first =
        story.pushed(story.page("", "0").nextAfter(), () -> story.followUp("two"));
    assertEquals(List.of("thread.interrupted", "message.created"), types(first));
    EventResponse second = story.pushed(first.nextAfter(), () -> {});
    assertEquals(List.of("session.updated", "thread.queued"), types(second));
    EventResponse third = story.pushed(second.nextAfter(), story::claim);
    assertEquals(List.of("thread.running"), types(third));
  }

  @Test
  void aRequestIsToldWithWhatWaitsForIt() {
    story.running("one");
    String before = story.page("", "0").nextAfter();
    Request request = story.ask("call");
    EventResponse held = story.page(before, "0");
    assertEquals(
        List.of("session.updated", "thread.requires_action", "request.created"), types(held));
    assertEquals(List.of(), types(story.page(held.nextAfter(), "0")));
    story.decide(request);
    Request next = story.ask("next");
    EventResponse other = story.page(held.nextAfter(), "0");
    assertEquals(List.of("session.updated", "request.decided", "request.created"), types(other));
    assertTrue(other.page().contains("\"note\":\"so\""), other.page());
    story.decide(next);
    assertEquals(
        List.of("session.updated", "thread.running", "request.decided"),
        types(story.page(other.nextAfter(), "0")));
  }

  @Test
  void aSnapshotIsWhereFollowingBegins() {
    story.tellAll();
    story.running("more");
    EventResponse page = story.page("", "0", "snapshot=true");
    assertEquals(List.of(), page.events());
    String snapshot = page.page();
    assertTrue(snapshot.contains("\"status\":\"running\""), snapshot);
    assertTrue(snapshot.contains("\"status\":\"working\""), snapshot);
    String cursor = snapshot.replaceAll("^.*\"cursor\":\"([^\"]+)\".*$", "$1");
    assertEquals(cursor, page.nextAfter());
    story.say("a");
    assertEquals(List.of("message.created"), types(story.page(cursor, "0")));
  }

  @Test
  void onlyWhatIsWantedComes() {
    story.tellAll();
    EventResponse page = story.page("", "0", "types=artifact.created", "types=thread.completed");
    assertEquals(List.of("artifact.created", "artifact.created", "thread.completed"), types(page));
    assertEquals(List.of(), types(story.page(page.nextAfter(), "0")));
  }

  @Test
  void aThreadsStreamHasThatThreadOnlyAndEndsWithIt() {
    Turn first = story.completed("one", 1);
    story.followUp("two");
    String stream = story.stream(first.id(), "");
    assertEquals(
        List.of("message.created", "artifact.created", "message.created", "thread.completed"),
        EventStory.durable(stream).stream().map(EventStory.StreamedEvent::type).toList());
    assertTrue(stream.contains("{\"reason\":\"final\"}"), stream);
  }

  @Test
  void whoWaitsHearsOfItAtOnce() {
    story.running("one");
    String after = story.page("", "0").nextAfter();
    CompletableFuture<EventResponse> page =
        CompletableFuture.supplyAsync(() -> story.page(after, "20"));
    story.say("a");
    assertEquals(List.of("message.created"), types(page.join()));
  }

  @Test
  void anAnswerEndsWhenTheSessionIsDeleted() {
    story.running("one");
    String after = story.page("", "0").nextAfter();
    CompletableFuture<String> stream =
        CompletableFuture.supplyAsync(() -> story.stream(after, "wait=20"));
    story.delete();
    assertTrue(
        stream.handle((received, gone) -> gone != null || received.contains("deleted")).join());
    assertEquals(
        Refusal.Code.NOT_FOUND, assertThrows(Refusal.class, () -> story.page(after, "0")).code());
  }

  @Test
  void anAnswerEndsWithAMegabyteAndTheNextGoesOn() {
    story.running("one");
    for (int i = 0; i < 12; i++) {
      story.say("x".repeat(200_000));
    }
    List<EventStory.StreamedEvent> received = new ArrayList<>();
    String after = "";
    for (int answer = 0; answer < 3; answer++) {
      String stream = story.stream(after, "wait=0");
      assertTrue(stream.length() < 1_100_000);
      assertEquals(answer < 2, stream.contains("{\"reason\":\"size\"}"), "answer " + answer);
      received.addAll(EventStory.durable(stream));
      after = EventStory.lastId(stream);
    }
    assertEquals(13, received.size());
  }

  @Test
  void whatIsHalfVisibleIsNeitherMissedNorToldTwice() {
    Random random = new Random(3);
    TornTable torn = new TornTable(new InMemoryTable(InMemoryAws.TABLE), random, "UPCFR");
    EventStory story = new EventStory(torn);
    story.running("begin");
    List<String> received = new ArrayList<>();
    String after = "";
    for (int step = 0; step < 150; step++) {
      happen(story, random);
      EventResponse page = story.page(after, "0");
      received.addAll(ids(page));
      after = page.nextAfter();
    }
    torn.heal();
    received.addAll(ids(story.page(after, "0")));
    assertEquals(ids(story.page("", "0")), received);
  }

  private static void happen(EventStory story, Random random) {
    switch (random.nextInt(12)) {
      case 0, 1, 2 -> story.say("a", "{\"name\":\"look\"}", "b");
      case 3 -> story.say("c");
      case 4 -> {
        story.completed("more", 2);
        story.running("again");
      }
      case 5 -> {
        story.completed("and more", 0);
        story.running("again");
      }
      case 6 -> story.running("something else");
      default -> {}
    }
  }

  @Test
  void cursorsAreOfTheirSessionOnly() {
    story.running("one");
    SessionId other = new SessionId(UUID.randomUUID());
    String foreign = EventCursor.BEGINNING.text(other);
    for (String odd :
        List.of(foreign, "x", "0".repeat(300), story.page("", "0").nextAfter() + "!")) {
      assertEquals(
          Refusal.Code.VALIDATION,
          assertThrows(Refusal.class, () -> story.page(odd, "0")).code(),
          odd);
    }
  }

  @Test
  void oddQuestionsAreRefused() {
    story.running("one");
    for (String odd : List.of("types=x", "types=end", "wait=21", "snapshot=1")) {
      assertEquals(
          Refusal.Code.VALIDATION,
          assertThrows(Refusal.class, () -> story.page("", "0", odd)).code(),
          odd);
    }
  }

  private List<String> listed() {
    List<String> listed = new ArrayList<>();
    for (Turn turn : story.turns()) {
      History.Range range =
          new History.Range(
              EnumSet.allOf(MessageKind.class),
              turn.firstStamp().plusMicros(-1),
              turn.lastStamp(),
              true,
              100);
      List<Message> said = story.aws().history().messages(turn, range);
      said.stream()
          .filter(message -> message.kind() != MessageKind.FINAL)
          .forEach(message -> listed.add(message.id().toString()));
      story.artifacts().stream()
          .filter(artifact -> artifact.turnId().equals(turn.id()))
          .map(Artifact::id)
          .forEach(id -> listed.add(id.toString()));
      said.stream()
          .filter(message -> message.kind() == MessageKind.FINAL)
          .forEach(message -> listed.add(message.id().toString()));
      listed.add(turn.id().toString());
    }
    return listed;
  }

  private static List<String> named(List<EventStory.StreamedEvent> received) {
    return received.stream().map(EventStory.StreamedEvent::resource).toList();
  }

  private static List<String> ids(EventResponse page) {
    return page.events().stream().flatMap(event -> Stream.ofNullable(event.id())).toList();
  }

  private static List<String> types(EventResponse page) {
    return page.events().stream().map(EventResponse.Event::type).toList();
  }
}
