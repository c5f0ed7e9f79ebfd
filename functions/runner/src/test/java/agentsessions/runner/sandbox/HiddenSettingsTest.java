package agentsessions.runner.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.runner.agent.TurnFailed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HiddenSettingsTest {
  private static final List<String> NAMES = List.of(".own", ".other/.env");

  @TempDir Path workspace;

  @Test
  void thoseOfTheStartFolderAndAboveAreFound() throws Exception {
    for (String folder : List.of(".own", "a/.own", "a/b/.own", "a/b/c/.own", "x/.own")) {
      Files.createDirectories(workspace.resolve(folder));
    }
    Files.writeString(Files.createDirectories(workspace.resolve("a/.other")).resolve(".env"), "");
    assertEquals(List.of(".own", "a/.own", "a/.other/.env", "a/b/.own"), found("a/b"));
    assertEquals(List.of(".own"), found(""));
    assertEquals(List.of(), HiddenSettings.of(List.of(), workspace, "a/b", false));
  }

  @Test
  void aLinkIsRefusedWhereverItLeads() throws IOException {
    for (String link : List.of("a", "b/.own", "c/.other", "d/.other/.env")) {
      Path path = workspace.resolve(link);
      Files.createDirectories(path.resolveSibling(""));
      Files.createSymbolicLink(path, Path.of("nowhere"));
      String refusal = refusal(link.substring(0, 1), true);
      assertTrue(refusal.contains(" " + link + " is a link: "), refusal);
    }
  }

  @Test
  void whereNothingCanBeHiddenATurnIsRefused() throws Exception {
    assertEquals(List.of(), HiddenSettings.of(NAMES, workspace, "a", false));
    Files.createDirectories(workspace.resolve("a/.own"));
    String refusal = refusal("a", false);
    assertTrue(refusal.contains(" a/.own cannot be hidden in a container: "), refusal);
  }

  private List<String> found(String start) throws TurnFailed {
    return HiddenSettings.of(NAMES, workspace, start, true);
  }

  private String refusal(String start, boolean canHide) {
    TurnFailed refused =
        assertThrows(TurnFailed.class, () -> HiddenSettings.of(NAMES, workspace, start, canHide));
    return String.valueOf(refused.getMessage());
  }
}
