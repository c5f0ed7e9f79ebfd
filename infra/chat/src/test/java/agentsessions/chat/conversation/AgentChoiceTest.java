package agentsessions.chat.conversation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import agentsessions.chat.StandIn;
import agentsessions.chat.api.Api;
import agentsessions.chat.api.ChatFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests of the choice of a new session's agent.
class AgentChoiceTest {
  private static final String BOTH =
      """
      {"items": [{"name": "shell", "description": "Runs a script."}, {"name": "claude"}]}\
      """;

  private final StandIn service = new StandIn();
  private final Api api = new Api(service.access(), notice -> {});
  private final List<String> said = new ArrayList<>();
  private final Deque<String> typed = new ArrayDeque<>();

  @TempDir private Path folder;

  AgentChoiceTest() throws IOException {}

  @AfterEach
  void close() {
    service.close();
  }

  @Test
  void theOnlyOneIsTakenUnasked() {
    service.answers("GET /agents", 200, "{\"items\": [{\"name\": \"shell\"}]}");
    assertEquals("shell", choice().name());
    assertEquals("shell", AgentChoice.unasked(api, null));
    assertEquals(List.of(), said);
  }

  @Test
  void amongSeveralTheUserPicksByNumberOrName() {
    service.answers("GET /agents", 200, BOTH);
    typed.addAll(List.of("3", "codex", "2"));
    assertEquals("claude", choice().name());
    assertEquals("  1  shell  Runs a script.", said.getFirst());
    assertEquals("Agent claude.", said.getLast());
    typed.add("shell");
    assertEquals("shell", choice().name());
  }

  @Test
  void theLastOneIsTakenWithoutAskingAgain() {
    service.answers("GET /agents", 200, BOTH);
    typed.add("2");
    AgentChoice first = choice();
    assertEquals("claude", first.name());
    first.used();
    assertEquals("claude", choice().name());
    assertEquals("Agent claude, as last time (--agent NAME chooses another).", said.getLast());
  }

  @Test
  void aLastOneThatIsNoLongerOfferedIsForgotten() {
    new LastAgent(folder.resolve("last")).keep("gone");
    service.answers("GET /agents", 200, BOTH);
    typed.add("1");
    assertEquals("shell", choice().name());
  }

  @Test
  void aScriptHasToNameOneOfSeveral() {
    service.answers("GET /agents", 200, BOTH);
    ChatFailure failure = assertThrows(ChatFailure.class, () -> AgentChoice.unasked(api, null));
    assertEquals("Choose an agent with --agent: shell, claude", failure.reason());
  }

  @Test
  void noAgentAtAllIsSaid() {
    service.answers("GET /agents", 200, "{\"items\": []}");
    assertThrows(ChatFailure.class, () -> choice().name());
    assertThrows(ChatFailure.class, () -> AgentChoice.unasked(api, null));
  }

  private AgentChoice choice() {
    return new AgentChoice(
        api, null, new LastAgent(folder.resolve("last")), said::add, typed::removeFirst);
  }
}
