package agentsessions.runner.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
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

  @Test
  void whatIsMadeToMountOnIsRemovedLater() throws IOException {
    List<String> before = all();
    String home = Mounts.FOLDERS.home();
    String work = Mounts.FOLDERS.workspace();
    List<String> words =
        mounts.hidden(
            List.of(home + "/.rc", home + "/a/b/bin/", work + "/.own/", work + "/c/.env/"));
    assertEquals(4, words.stream().filter(word -> word.matches("--ro-bind|--tmpfs")).count());
    assertTrue(all().containsAll(List.of("home/.rc", "home/a/b/bin", "work/.own", "work/c/.env")));
    Files.writeString(folder.home().resolve("a/by-the-agent"), "");
    new MountPoints(folder).remove();
    List<String> after = new ArrayList<>(before);
    after.addAll(List.of("home/a", "home/a/by-the-agent"));
    assertEquals(Set.copyOf(after), Set.copyOf(all()));
  }

  @Test
  void aRunThatWasKilledLeavesNothingForTheNext() throws IOException {
    List<String> before = all();
    List<String> _ = mounts.files(SETTINGS);
    List<String> _ = mounts.hidden(List.of("/workspace/.own/"));
    folder.open(Map.of());
    assertEquals(before, all());
  }

  @Test
  void whatIsThereIsKept() throws IOException {
    Files.writeString(folder.work().resolve(".env"), "");
    Files.writeString(folder.home().resolve(".rc"), "");
    List<String> before = all();
    List<String> words = mounts.hidden(List.of("/workspace/.env/", "/home/agent/.rc"));
    assertEquals(
        List.of("/workspace/.env", "/home/agent/.rc"), List.of(words.get(2), words.get(5)));
    new MountPoints(folder).remove();
    assertEquals(before, all());
  }

  /// Of them the agent could make nothing.
  @Test
  void whatAnEarlierVersionHasLeftInPlaceOfAFileOfTheGateIsRemoved() throws IOException {
    List<String> before = all();
    Files.writeString(Files.createDirectory(own()).resolve("settings"), "");
    List<String> _ = mounts.files(SETTINGS);
    new MountPoints(folder).remove();
    Files.delete(own());
    assertEquals(before, all());
  }

  /// A runner that is root is not stopped by that, but removes it all the same.
  @Test
  void aFolderThatTheAgentHasMadeReadOnlyCostsNothing() throws IOException {
    List<String> _ = mounts.hidden(List.of("/home/agent/.agent/bin/"));
    Files.setPosixFilePermissions(own(), PosixFilePermissions.fromString("r-xr-xr-x"));
    folder.open(Map.of());
    assertFalse(Files.exists(own().resolve("bin")));
  }

  @Test
  void whatAListNamesThatItCouldNotHaveIsLeft() throws IOException {
    Path other = Files.createDirectories(folders.resolve("other"));
    List<String> before = all();
    String names = "%s\nwork\nhome/../../other\nwork/../".formatted(other);
    Files.writeString(folder.mountPoints(), names);
    folder.open(Map.of());
    assertEquals(before, all());
    assertTrue(Files.exists(other));
  }

  /// The agent has moved a folder that is not its own, and left a link to one of another.
  @Test
  void nothingIsRemovedThroughALink() throws IOException {
    Path other = Files.createDirectories(folders.resolve("other"));
    Files.writeString(other.resolve("rc"), "");
    List<String> _ = mounts.hidden(List.of("/home/agent/.agent/rc"));
    Files.move(own(), folder.home().resolve("moved"));
    Files.createSymbolicLink(own(), other);
    new MountPoints(folder).remove();
    assertTrue(Files.exists(other.resolve("rc")));
  }

  private List<String> all() throws IOException {
    List<String> all = new ArrayList<>();
    for (Path root : List.of(folder.work(), folder.home())) {
      try (Stream<Path> paths = Files.walk(root)) {
        paths.forEach(path -> all.add(root.getFileName() + "/" + root.relativize(path)));
      }
    }
    return all;
  }

  private Path own() {
    return folder.home().resolve(".agent");
  }
}
