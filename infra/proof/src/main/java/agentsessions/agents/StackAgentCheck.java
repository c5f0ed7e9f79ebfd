package agentsessions.agents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import agentsessions.agents.model.ModelServer;
import agentsessions.talk.Client;
import agentsessions.talk.PresignedLink;
import agentsessions.talk.SessionHandle;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// A packaged agent in a task of a deployed stack, whose runners reach the scripted model at
/// `STACK_MODEL_PORT` of this machine. The stack is at `CONTRACT_URL`, with the keys
/// `CONTRACT_KEY`.
final class StackAgentCheck {
  private static final Duration LONGEST_TURN = Duration.ofMinutes(3);
  private static final Duration POLL_INTERVAL =
      Duration.ofMillis(700); // a key has 100 requests a minute

  @Test
  void claudeWorksAnswersAndRemembers() {
    String port = Objects.requireNonNullElse(System.getenv("STACK_MODEL_PORT"), "");
    assumeTrue(!port.isEmpty(), "the stack's image has no claude");
    try (ModelServer model = ModelServer.start(Integer.parseInt(port))) {
      Client client =
          Client.at(setting("CONTRACT_URL"), setting("CONTRACT_KEY").split(",", 2)[0])
              .patient(LONGEST_TURN, POLL_INTERVAL);
      SessionHandle session = client.create("claude", "I am Ada. [[sh env >seen.txt]]");
      assertEquals("You said: I am Ada.", session.first().completed());
      String seen = PresignedLink.content(session.artifactAt("/workspace/seen.txt"));
      assertFalse(seen.contains(ScriptedService.KEY), seen);
      assertEquals(List.of(ScriptedService.KEY), model.keys());
      assertEquals("The first was: I am Ada.", session.send("Who am I? [[recall]]").completed());
    }
  }

  private static String setting(String name) {
    return Objects.requireNonNull(System.getenv(name), name);
  }
}
