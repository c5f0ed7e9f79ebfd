package agentsessions.runner.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.runner.agent.TurnFailed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HiddenSettingsTest {
  private static final List<String> NAMES = List.of(".own", ".other/.env", "~/.own/bin/");

  @TempDir Path folders;
  private SessionFolder folder;

  @BeforeEach
  void open() throws IOException {
    String session = UUID.randomUUID().toString();
    folder = new SessionFolders(folders, Optional.empty()).of(session).open(Map.of());
  }

  @Test
  void thoseOfTheStartFolderAndAboveAndOfHomeAreHiddenAlsoWhereNothingIs() throws Exception {
    List<String> places = hidden("a/b");
    assertTrue(places.containsAll(List.of("/home/agent/.bashrc", "/home/agent/.zshenv")));
    assertEquals(
        List.of(
            "/workspace/.own/",
            "/workspace/a/.own/",
            "/workspace/a/b/.own/",
            "/workspace/.other/.env/",
            "/workspace/a/.other/.env/",
            "/workspace/a/b/.other/.env/",
            "/home/agent/.own/bin/"),
        places.subList(10, places.size()));
  }

  @Test
  void aLinkIsRefusedWhereverItLeads() throws IOException {
    for (String link : List.of("a", "b/.own", "c/.other", "d/.other/.env")) {
      Path path = folder.work().resolve(link);
      Files.createDirectories(path.resolveSibling(""));
      Files.createSymbolicLink(path, Path.of("nowhere"));
      assertRefused(link + " is a link, or no folder", link.substring(0, 1), true);
    }
    Files.createSymbolicLink(folder.home().resolve(".bashrc"), Path.of("nowhere"));
    assertRefused("~/.bashrc is a link, or no folder", "", true);
  }

  @Test
  void aFileWhereAFolderIsNeededIsRefused() throws IOException {
    Files.writeString(folder.work().resolve(".other"), "");
    assertRefused(".other is a link, or no folder", "", true);
  }

  @Test
  void whereNothingCanBeHiddenATurnIsRefused() throws Exception {
    assertEquals(List.of(), new HiddenSettings(folder, "a", false).of(NAMES));
    Files.writeString(folder.home().resolve(".profile"), "");
    assertRefused("~/.profile cannot be hidden in a container", "a", false);
    Files.delete(folder.home().resolve(".profile"));
    Files.createDirectories(folder.work().resolve("a/.own"));
    assertRefused("a/.own cannot be hidden in a container", "a", false);
  }

  private List<String> hidden(String start) throws TurnFailed {
    return new HiddenSettings(folder, start, true).of(NAMES);
  }

  private void assertRefused(String why, String start, boolean canHide) {
    HiddenSettings settings = new HiddenSettings(folder, start, canHide);
    TurnFailed refused = assertThrows(TurnFailed.class, () -> settings.of(NAMES));
    String message = String.valueOf(refused.getMessage());
    assertTrue(message.contains(" " + why + ": "), message);
  }
}
