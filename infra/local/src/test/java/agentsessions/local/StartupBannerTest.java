package agentsessions.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.Writer;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Tests of the text that a start prints.
class StartupBannerTest {
  private static final String KEY = "ask_1_secret";
  private static final List<AgentAvailability> AVAILABILITY =
      List.of(
          new AgentAvailability.Offered("shell", List.of()),
          new AgentAvailability.Offered("claude", List.of("ANTHROPIC_API_KEY")),
          new AgentAvailability.Missing("codex", "its command codex is not installed"));
  private static final List<AgentAvailability> NONE =
      List.of(new AgentAvailability.Missing("shell", "it needs a sandbox"));

  @Test
  void aboutTenLinesSayWhatIsOffered() {
    assertEquals(
        """
        Agent Sessions 0.1.0
        Base URL: http://127.0.0.1:8080/rest/v1
        API key: ask_1_secret
        Console: http://127.0.0.1:8080/console/#sign-in=once
        Workspace: local (keys of others: scripts/keys)
        Agents: shell, claude (will fail: ANTHROPIC_API_KEY not set)
        Not offered: codex, its command codex is not installed
        Isolation: bubblewrap
        Memory of a turn: bounded by cgroup v2
        Documentation: http://127.0.0.1:8080/docs
        Data: /srv/my data
        Stop it with Ctrl-C. Talk to it: scripts/chat --data '/srv/my data'
        """,
        sandboxed(AVAILABILITY, true).text().split("\n\n", 2)[0] + "\n");
  }

  @Test
  void theSessionToPasteIsOneThatAnyShellCanRead() {
    for (boolean hasJq : List.of(true, false)) {
      String session = sandboxed(AVAILABILITY, hasJq).text().split("another terminal:\n\n", 2)[1];
      assertTrue(session.contains(KEY), session);
      assertFalse(session.contains("{{"), session);
      assertFalse(session.contains("echo \"$"), session);
      assertTrue(session.lines().noneMatch(line -> line.strip().startsWith("#")), session);
      assertTrue(
          session.lines().allMatch(line -> line.isEmpty() || line.startsWith("  ")), session);
      assertEquals(hasJq, session.contains("jq"));
      assertEquals(!hasJq, session.contains("'/opt/the project/scripts/chat'"), session);
    }
  }

  /// The pasted commands run against a service that does not run: port 1 is closed.
  @Test
  void theSessionToPasteEndsAtItsFirstCallThatFailsAndSaysWhy() throws Exception {
    String session = sandboxed(AVAILABILITY, true).text().split("another terminal:\n\n", 2)[1];
    Process shell = new ProcessBuilder("bash").redirectErrorStream(true).start();
    try (Writer terminal = shell.outputWriter()) {
      terminal.write(session.replace(":8080", ":1"));
    }
    List<String> said = shell.inputReader().lines().toList();
    assertEquals(1, said.size(), said::toString);
    assertTrue(said.getFirst().startsWith("curl: (7)"), said::toString);
    assertEquals(7, shell.waitFor());
  }

  @Test
  void whatCannotWorkIsNotPrintedToPaste() {
    String text = greeting(NONE, new SandboxSupport("none", "no", "nothing"), false).text();
    assertTrue(text.contains("Agents: none\n"), text);
    assertTrue(text.contains("bubblewrap is missing: apt install bubblewrap"), text);
    assertTrue(text.contains("--trust shell"), text);
    assertFalse(text.contains("paste"), text);
  }

  @Test
  void aSandboxThatIsRefusedSaysWhy() {
    SandboxSupport refused = new SandboxSupport("none", "no user namespaces", "nothing");
    String text = greeting(NONE, refused, true).text();
    assertTrue(text.contains("Isolation: none. no user namespaces."), text);
  }

  @Test
  void trustedAgentsAreSaidToBeFree() {
    SandboxSupport refused = new SandboxSupport("none", "no user namespaces", "nothing");
    String text = greeting(AVAILABILITY, refused, true).text();
    assertTrue(text.contains("can read and change all that you can"), text);
    assertFalse(text.contains("--trust"), text);
    assertTrue(text.contains("paste"), text);
  }

  @Test
  void withoutGitThereAreNoRepositories() {
    SandboxSupport refused = new SandboxSupport("none", "no user namespaces", "nothing");
    String text = greeting(AVAILABILITY, refused, true).text();
    assertTrue(text.contains("Repositories: none. git is missing: apt install git"), text);
  }

  @Test
  void quietHasNoKeyAndNoLink() {
    String text = sandboxed(AVAILABILITY, true).quiet();
    assertFalse(text.contains(KEY), text);
    assertFalse(text.contains("once"), text);
    assertTrue(text.contains("API key: in /srv/my data/local-key\n"), text);
    assertFalse(text.contains("paste"), text);
  }

  private static StartupBanner sandboxed(List<AgentAvailability> availability, boolean hasJq) {
    return new StartupBanner(
        "0.1.0",
        URI.create("http://127.0.0.1:8080"),
        KEY,
        "once",
        availability,
        new SandboxSupport("bubblewrap", "", "cgroup v2"),
        Path.of("/srv/my data"),
        List.of(),
        new StartupBanner.Machine(Path.of("/opt/the project/scripts"), true, hasJq, true));
  }

  private static StartupBanner greeting(
      List<AgentAvailability> availability, SandboxSupport isolation, boolean hasBubblewrap) {
    return new StartupBanner(
        "0.1.0",
        URI.create("http://127.0.0.1:8080"),
        KEY,
        "once",
        availability,
        isolation,
        Path.of("/srv/my data"),
        List.of(),
        new StartupBanner.Machine(Path.of("/opt/the project/scripts"), hasBubblewrap, true, false));
  }
}
