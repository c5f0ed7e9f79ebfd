package agentsessions.session.input;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkspacePathTest {
  @ParameterizedTest
  @ValueSource(strings = {"a", "a/b c/\u00fc", ".gitignore", "a.git", "...", "outputs", "-x"})
  void aPathBelowTheWorkspaceIsTaken(String path) {
    assertEquals(Optional.empty(), WorkspacePath.fault(path));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/",
        "/a",
        "a/",
        "a//b",
        ".",
        "./a",
        "..",
        "a/../b",
        ".git",
        "a/.GIT/hooks/x",
        "a\0b",
        "a\nb",
        "a/\u001b[2J",
        "a\u007f",
        "a\u0085b"
      })
  void everythingElseIsRefused(String path) {
    assertTrue(WorkspacePath.fault(path).isPresent());
  }

  @Test
  void aPathIsMeasuredInBytes() {
    String part = "a".repeat(255);
    String longest = part + "/" + part + "/" + part + "/" + part + "/";
    assertEquals(Optional.empty(), WorkspacePath.fault(longest.substring(0, 1_023)));
    assertTrue(WorkspacePath.fault(longest + "a").isPresent());
    assertTrue(WorkspacePath.fault("a".repeat(256)).isPresent());
    assertTrue(WorkspacePath.fault("\u00fc".repeat(128)).isPresent());
  }

  @ParameterizedTest
  @ValueSource(strings = {"outputs", "plans", "outputs/a", "plans/a", ".git", "..", ""})
  void aRepositoryGoesNowhereElse(String path) {
    assertTrue(WorkspacePath.faultOfFolder(path).isPresent());
  }

  @Test
  void pathsMeetWhereOneLiesInTheOther() {
    assertTrue(WorkspacePath.meet("a", "a"));
    assertTrue(WorkspacePath.meet("a", "a/b"));
    assertTrue(WorkspacePath.meet("a/b", "a"));
    assertFalse(WorkspacePath.meet("a", "ab"));
    assertFalse(WorkspacePath.meet("a/b", "a/c"));
  }
}
