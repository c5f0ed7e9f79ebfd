package agentsessions.runner.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// The runner's own commands are found on its own PATH, whatever the agent's PATH is.
final class ToolsTest {
  @Test
  void ownCommandsAreNamedByTheirPath() {
    assertTrue(Path.of(Tools.own("bash")).isAbsolute());
  }

  @Test
  void aCommandThatIsNotThereKeepsItsName() {
    assertEquals("not-there", Tools.own("not-there"));
  }
}
