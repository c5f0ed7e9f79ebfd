package agentsessions.runner.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

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

class MountsTest {
  private static final Map<String, String> SETTINGS =
      Map.of("/home/agent/.agent/settings", "hooked");

  @TempDir Path folders;
  private SessionFolder folder;
  private Mounts mounts;

  @BeforeEach
  void open() throws IOException {
    String session = UUID.randomUUID().toString();
    folder = new SessionFolders(folders, Optional.empty()).of(session).open(Map.of());
    mounts = new Mounts(folder, folder.makeTurnFolder(""), new InstalledTools(Optional.empty()));
  }

  @Test
  void aFileIsMountedOverThatOfHome() throws IOException {
    Files.writeString(Files.createDirectory(own()).resolve("settings"), "the agent's");
    List<String> words = mounts.files(SETTINGS);
    assertEquals(
        List.of("--ro-bind", "/home/agent/.agent/settings"),
        List.of(words.getFirst(), words.getLast()));
    assertEquals("hooked", Files.readString(Path.of(words.get(1))));
  }

  /// Bubblewrap follows links on its way to where it mounts, and while it does `/oldroot` is the
  /// machine: it would make an empty file there, as root, and the agent would start without its
  /// gate.
  @Test
  void noneIsMountedOverALinkThatTheAgentHasLeft() throws IOException {
    Files.createSymbolicLink(own(), Path.of("/oldroot/tmp"));
    assertThrows(IOException.class, () -> mounts.files(SETTINGS));
    Files.delete(own());
    Files.createSymbolicLink(
        Files.createDirectory(own()).resolve("settings"), Path.of("/oldroot/etc/nologin"));
    assertThrows(IOException.class, () -> mounts.files(SETTINGS));
  }

  private Path own() {
    return folder.home().resolve(".agent");
  }
}
