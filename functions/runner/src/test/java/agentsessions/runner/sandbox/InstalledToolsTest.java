package agentsessions.runner.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// The runner's own commands are found on its own PATH, whatever the agent's PATH is.
final class InstalledToolsTest {
  @Test
  void ownCommandsAreNamedByTheirPath() {
    assertTrue(Path.of(InstalledTools.own("bash")).isAbsolute());
  }

  @Test
  void aCommandThatIsNotThereKeepsItsName() {
    assertEquals("not-there", InstalledTools.own("not-there"));
  }
}
