package agentsessions.agents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.talk.Client;
import agentsessions.talk.PresignedLink;
import agentsessions.talk.SessionHandle;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/// The image of the service, run as `infra/compose.yaml` says: a person signs in, and sessions run
/// in sandboxes in a container that has no capability. Run by `.ci/containers`.
@Tag("agents")
@Tag("deep")
@EnabledIfEnvironmentVariable(
    named = "SERVICE_IMAGE",
    matches = ".+",
    disabledReason = "needs Docker and the image of the service: .ci/containers")
final class ServiceImageTest {
  private static ServiceContainer container;
  private static Client client;

  @BeforeAll
  static void start() {
    container = ServiceContainer.start();
    client = container.signedIn();
  }

  @AfterAll
  static void stop() {
    container.close();
  }

  @Test
  void anAgentIsInASandboxThatShowsNothingOfTheContainer() {
    assertTrue(container.log().contains("Isolation: bubblewrap"), container::log);
    String script =
        "id -u; ls -d /data /opt/agent-sessions 2>&1 | grep -vc 'No such'; grep -c CapBnd.*[1-9a-f] /proc/self/status; ls /proc | grep -c '^[0-9]'";
    assertTrue(client.create(script).first().completed().matches("1000\n0\n0\n[1-9]"));
  }

  @Test
  void aSessionAndTheKeyOutliveTheContainer() {
    SessionHandle session = client.create("echo word > kept; echo done");
    assertEquals("done", session.first().completed());
    container.replace();
    assertEquals("word", session.send("cat kept; cp kept copy.txt").completed());
    assertEquals("word\n", PresignedLink.content(session.artifactAt("/workspace/copy.txt")));
  }

  @Test
  void theScriptsOfTheImageTalkToIt() {
    String said = container.run("scripts/chat", "--json", "--agent", "shell", "echo Hello");
    assertTrue(said.contains("\"reply\":\"Hello\""), said);
  }

  @Test
  void aRealAgentIsBroughtAndAsksTheModel() {
    Assumptions.assumeFalse("".equals(System.getenv("SERVICE_AGENTS")), "npm could not bring it");
    SessionHandle session = client.create("claude", "I am Ada. [[ok]]");
    assertEquals("You said: I am Ada.", session.first().completed());
    assertEquals("The first was: I am Ada.", session.send("Who am I? [[recall]]").completed());
  }
}
