package agentsessions.contract.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.contract.Section;
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

/// Sections 2.3 and 4.3: a follow-up may be sent at any time, and interrupts a turn in progress.
@Section(number = "4.3", title = "Send a follow-up")
final class FollowUpsTest {
  /// A turn is running as soon as a runner has claimed it; this output shows that the script runs.
  /// It prints a second line, since the last line of the output so far is held back.
  private static final String BEGUN = "echo begun; echo and going on; ";

  private final Client client = Target.client();

  @Test
  void aFollowUpIsAnsweredByTheMessageAndTheLinkOfItsOwnThread() {
    SessionHandle session = client.create("echo one");
    session.first().reply();
    JsonNode sent =
        client.post(session.path() + "/messages", Map.of("message", "echo two")).expect(201).json();
    assertEquals("echo two", sent.path("message").asText());
    assertEquals("user", sent.path("role").asText());
    assertEquals("message", sent.path("type").asText());
    assertEquals(session.id(), sent.path("session_id").asText());
    TurnHandle turn = new TurnHandle(client, sent.at("/_links/final_message/href").asText());
    assertEquals(turn.id(), sent.path("thread_id").asText());
    assertEquals("two", turn.text().strip());
  }

  @Tag("stack")
  @Test
  void theSandboxKeepsItsFilesBetweenTurns() {
    SessionHandle session = client.create("echo work > here; echo home > ~/there; echo ok");
    session.first().reply();
    assertEquals("work\nhome", session.send("cat here ~/there").text().strip());
  }

  @Tag("stack")
  @Test
  void theFolderHasTheSamePathInEveryTurn() {
    SessionHandle session = client.create("pwd; echo $HOME");
    assertEquals("/workspace\n/home/agent", session.first().text().strip());
    assertEquals("/workspace\n/home/agent", session.send("pwd; echo $HOME").text().strip());
  }

  @Tag("stack")
  @Test
  void aFollowUpInterruptsTheTurnInProgress() {
    SessionHandle session = client.create("echo kept > file; " + BEGUN + "sleep 300; echo never");
    session.first().awaitTranscript("begun");
    TurnHandle second = session.send("cat file");
    assertEquals("kept", second.text().strip());
    JsonNode old = session.first().poll();
    assertEquals("[]", old.path("items").toString());
    assertEquals("interrupted", TurnHandle.status(old));
    assertEquals(second.id(), old.at("/thread/superseded_by").asText());
  }

  @Test
  void theInterruptedAgentIsGone() {
    SessionHandle session =
        client.create(
            "(trap '' INT; while :; do date +%s%N > beat; sleep 0.1; done) & "
                + "until [ -s beat ]; do sleep 0.1; done; "
                + BEGUN
                + "sleep 300");
    session.first().awaitTranscript("begun");
    TurnHandle second = session.send("cat beat > one; sleep 1; cmp -s one beat && echo silent");
    assertEquals("silent", second.text().strip());
  }

  @Test
  void anInterruptedTurnNeverSpeaks() {
    SessionHandle session =
        client.create("trap 'echo last words; exit 0' INT TERM; sleep 300 & wait");
    session.first().running();
    session.send("sleep 1; echo next").reply();
    assertEquals("[]", session.first().poll().path("items").toString());
    assertTrue(session.texts("").stream().noneMatch(text -> text.equals("last words")));
  }

  @Test
  void manyFollowUpsInARowLeaveTheLastOneStanding() {
    SessionHandle session = client.create("sleep 300");
    List<TurnHandle> turns = new ArrayList<>(List.of(session.first()));
    for (int i = 1; i <= 8; i++) {
      turns.add(session.send("echo " + i));
    }
    assertEquals("8", turns.getLast().text().strip());
    for (int i = 0; i < turns.size() - 1; i++) {
      JsonNode page = turns.get(i).poll();
      if (TurnHandle.status(page).equals("interrupted")) {
        assertEquals(turns.get(i + 1).id(), page.at("/thread/superseded_by").asText());
      } else {
        assertEquals("completed", TurnHandle.status(page));
      }
    }
    assertEquals(9, session.messages("?role=user").path("items").size());
  }

  @Test
  void aFollowUpCanInsistOnTheThreadItHasSeen() {
    SessionHandle session = client.create("echo one");
    String first = session.first().id();
    String path = session.path() + "/messages";
    client.post(path, Map.of("message", "echo two", "if_thread_id", first)).expect(201);
    client
        .post(path, Map.of("message", "echo three", "if_thread_id", first))
        .refused(409, "THREAD_CHANGED");
    client.post(path, Map.of("message", "echo four", "if_thread_id", "x")).invalid("if_thread_id");
    assertEquals(2, session.messages("?role=user").path("items").size());
  }

  @Tag("stack")
  @Test
  void anInterruptCancelsTheTurnInProgress() {
    SessionHandle session = client.create("sleep 300");
    session.first().running();
    JsonNode thread = client.send("POST", session.path() + "/interrupt", null).ok();
    assertEquals("cancelled", thread.path("status").asText());
    assertEquals(session.first().id(), thread.path("id").asText());
    assertEquals("idle", session.load().path("status").asText());
    assertEquals("[]", session.first().poll().path("items").toString());
  }

  @Test
  void repeatingAnInterruptChangesNothing() {
    SessionHandle session = client.create("sleep 300");
    JsonNode thread = client.send("POST", session.path() + "/interrupt", null).ok();
    JsonNode again = client.send("POST", session.path() + "/interrupt", null).ok();
    for (String field : List.of("id", "status", "ended_at")) { // its runner has yet to let it go
      assertEquals(thread.path(field), again.path(field), field);
    }
    assertEquals("next", session.send("echo next").text().strip());
  }

  @Test
  void anInterruptLeavesAnEndedTurnAsItIs() {
    SessionHandle session = client.create("echo done");
    session.first().reply();
    JsonNode thread = client.send("POST", session.path() + "/interrupt", null).ok();
    assertEquals("completed", thread.path("status").asText());
  }
}
