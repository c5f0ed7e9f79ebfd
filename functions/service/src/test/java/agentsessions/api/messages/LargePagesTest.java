package agentsessions.api.messages;

import static agentsessions.aws.InMemoryAws.accepted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.api.request.Call;
import agentsessions.api.request.CommonJson;
import agentsessions.api.sessions.MessageBody;
import agentsessions.authorizer.Scope;
import agentsessions.aws.InMemoryAws;
import agentsessions.aws.InMemoryBucket;
import agentsessions.aws.InMemoryTable;
import agentsessions.aws.MeteredTable;
import agentsessions.aws.NoMachine;
import agentsessions.session.Acceptance;
import agentsessions.session.Ending;
import agentsessions.session.FollowUp;
import agentsessions.session.MessageKind;
import agentsessions.session.NewSession;
import agentsessions.session.Plans;
import agentsessions.session.Refusal;
import agentsessions.session.Turn;
import agentsessions.session.id.Workspace;
import agentsessions.store.event.SessionEvents;
import agentsessions.testing.SettableClock;
import agentsessions.turn.TurnEvents;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Reads of large messages: a page reads about as much as it shows, however large the session's
/// messages are. All tests read one session: of each kind but the tool calls there are messages for
/// many pages.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LargePagesTest {
  private static final Workspace WORKSPACE = new Workspace("w");
  private static final int TURNS = 40;
  private static final int EVENTS = 3;
  private static final String LARGE = "x".repeat(256 << 10);

  /// 4 MB, the message that is too much, and a page of the table, which ends at 1 MB, of another
  /// kind.
  private static final long MOST_READ = 5_600_000;

  private static final String EVERYTHING = "type=message&type=final_message&type=tool_call";

  private final MeteredTable metered = new MeteredTable(new InMemoryTable(InMemoryAws.TABLE));
  private final SettableClock clock = new SettableClock();
  private final InMemoryAws aws =
      InMemoryAws.of(metered, new InMemoryBucket(), new NoMachine(), clock);
  private final MessagesController messages =
      new MessagesController(aws.sessions(), aws.turns(), aws.history(), aws.pages(), clock);
  private Turn last = turn(aws.intake().create(WORKSPACE, NewSession.of("shell", LARGE), "", null));

  @BeforeAll
  void haveTurns() {
    end();
    for (int i = 1; i < TURNS; i++) {
      last = turn(aws.intake().followUp(last.key().sessionKey(), FollowUp.of(LARGE), "", null));
      end();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "direction=desc",
        EVERYTHING,
        EVERYTHING + "&direction=desc",
        "role=user",
        "role=user&direction=desc",
        "type=final_message",
        "type=tool_call&direction=desc",
        "role=assistant",
        "role=assistant&direction=desc",
        "type=message"
      })
  void everyPageReadsWhatItShowsAndNoneIsLeftOut(String filters) {
    assertEquals(all(filters, 1, MOST_READ), all(filters, 100, MOST_READ));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "&" + EVERYTHING, "&type=final_message&direction=desc", "&type=tool_call"})
  void aNumberedPageThatIsTooLargeIsRefusedAfterReadingAsMuch(String filters) {
    long turns = TURNS * 1_000L;
    metered.read();
    assertThrows(Refusal.class, () -> page("page=1&limit=100" + filters));
    long read = metered.read();
    assertTrue(read <= MOST_READ + turns, () -> read + " bytes");
  }

  @Test
  void aNumberedPageOfLargeMessagesIsWhole() {
    MessagePage page = page("page=2&limit=10&" + EVERYTHING);
    List<String> all = all(EVERYTHING, 10, MOST_READ);
    assertEquals(all.subList(10, 20), ids(page));
    assertTrue(page.items().stream().allMatch(item -> item.message().equals(LARGE)));
  }

  @Test
  void aPageOfAThreadReadsNoMore() {
    metered.read();
    MessagePage page = page("limit=100&thread_id=" + last.id());
    assertEquals(EVENTS + 1, page.items().size());
    assertTrue(metered.read() <= MOST_READ);
  }

  /// The first and the last messages of ten turns are read together.
  @Test
  void anAnswerOfEventsReadsNoMoreThanItCanTell() {
    SessionEvents.Seen seen =
        aws.sessionEvents()
            .poll(last.key().sessionKey(), Optional.empty(), Optional.empty())
            .orElseThrow();
    SessionEvents.Wanted wanted = new SessionEvents.Wanted(true, true, true);
    metered.read();
    SessionEvents.Found found =
        aws.sessionEvents().after(seen, Optional.empty(), wanted, false, TURNS * EVENTS);
    long read = metered.read();
    assertTrue(read <= 20 * LARGE.length() + 2_000_000, () -> read + " bytes");
    assertFalse(found.complete());
    assertFalse(found.events().isEmpty());
  }

  private List<String> all(String filters, int limit, long most) {
    List<String> found = new ArrayList<>();
    String query = "limit=" + limit + "&" + filters;
    while (query != null) {
      metered.read();
      MessagePage page = page(query);
      long read = metered.read();
      assertTrue(read <= most, () -> read + " bytes");
      found.addAll(ids(page));
      CommonJson.Href next = page.links().next();
      query = next == null ? null : URI.create(next.href()).getRawQuery();
    }
    return found;
  }

  private static List<String> ids(MessagePage page) {
    return page.items().stream().map(MessageBody::id).toList();
  }

  private MessagePage page(String query) {
    Map<String, List<String>> values = new HashMap<>();
    for (String pair : query.split("&", -1)) {
      String[] parts = pair.split("=", 2);
      if (parts.length == 2) {
        values
            .computeIfAbsent(parts[0], _ -> new ArrayList<>())
            .add(URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
      }
    }
    String url = "http://service";
    Call call =
        new Call(
            WORKSPACE, "key", Scope.all(), url, url, values, Map.of(), new byte[0], Instant.EPOCH);
    return messages.ofSession(call, last.sessionId().toString()).getBody().orElseThrow();
  }

  private void end() {
    List<TurnEvents.Event> events = new ArrayList<>();
    for (int i = 0; i < EVENTS; i++) {
      events.add(
          new TurnEvents.Event(i == 1 ? MessageKind.TOOL_CALL : MessageKind.PROGRESS, LARGE));
    }
    assertEquals(EVENTS, aws.events().append(last, 0, events).orElseThrow());
    assertTrue(aws.endings().end(load(last), Ending.completed(LARGE, List.of()), Plans.NONE));
    last = load(last);
    clock.pass(Duration.ofMinutes(2));
  }

  private Turn turn(Acceptance accepted) {
    return aws.claimed(accepted(accepted));
  }

  private Turn load(Turn turn) {
    return aws.turns().load(turn.key()).orElseThrow();
  }
}
