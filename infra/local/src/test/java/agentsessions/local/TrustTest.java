package agentsessions.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import agentsessions.local.machine.CannotStart;
import agentsessions.local.machine.Installation;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Tests that without a sandbox an agent is available only if the operator trusts it by name.
final class TrustTest {
  private static final SandboxSupport NO_SANDBOX =
      new SandboxSupport("none", "no user namespaces", "nothing");

  @Test
  void nothingIsOfferedWithoutASandbox() {
    assertEquals(List.of(), offered());
  }

  @Test
  void whoIsTrustedByNameIsOffered() {
    assertEquals(List.of("shell"), offered("--trust", "shell"));
  }

  @Test
  void severalCanBeTrusted() {
    Settings settings = settings("--trust", "shell,claude", "--trust", "codex");
    assertEquals(List.of("shell", "claude", "codex"), settings.trusted());
  }

  @Test
  void whoIsNotInTheCatalogueCannotBeTrusted() {
    CannotStart refusal = assertThrows(CannotStart.class, () -> offered("--trust", "nobody"));
    assertEquals("There is no agent nobody in agents.yaml (--trust)", refusal.reason());
  }

  private List<String> offered(String... arguments) {
    Settings settings = settings(arguments);
    Catalogue catalogue = Catalogue.load(Installation.find(), settings);
    return AgentAvailability.offeredNames(catalogue.availability(NO_SANDBOX, settings.tools()));
  }

  private static Settings settings(String... arguments) {
    return Main.settings(
        Main.command().parseArgs(arguments).commandSpec().commandLine().getCommand());
  }
}
