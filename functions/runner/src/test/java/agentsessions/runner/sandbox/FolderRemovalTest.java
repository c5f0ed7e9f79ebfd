package agentsessions.runner.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Folders an agent has left, some of them to stay. (As root nothing is closed; run it as another
/// user, too.)
class FolderRemovalTest {
  @TempDir Path folder;

  @Test
  void closedFoldersGo() throws IOException {
    Path top = Files.createDirectories(folder.resolve("session"));
    Path closed = Files.createDirectories(top.resolve("work/a/b"));
    Files.writeString(closed.resolve("f"), "private");
    for (String part : List.of("work/a/b", "work/a", "work")) {
      Files.setPosixFilePermissions(
          top.resolve(part), PosixFilePermissions.fromString("---------"));
    }
    FolderRemoval.of(top);
    assertTrue(Files.notExists(top));
  }

  @Test
  void linksAreNotFollowed() throws IOException {
    Path other = Files.createDirectories(folder.resolve("other"));
    Files.writeString(other.resolve("kept"), "x");
    Path top = Files.createDirectories(folder.resolve("session/work"));
    Files.createSymbolicLink(top.resolve("link"), other);
    FolderRemoval.of(folder.resolve("session"));
    assertTrue(Files.exists(other.resolve("kept")));
  }

  @Test
  void treesDeeperThanAPathMayBeGo() throws Exception {
    Path top = Files.createDirectories(folder.resolve("session"));
    String script =
        "n=$(printf 'n%.0s' $(seq 250)); for i in $(seq 40); do mkdir $n; cd -P $n; done";
    Process shell = new ProcessBuilder("bash", "-c", script).directory(top.toFile()).start();
    assertEquals(0, shell.waitFor());
    FolderRemoval.of(top);
    assertTrue(Files.notExists(top));
  }

  @Test
  void whatIsNotThereIsNoError() throws IOException {
    FolderRemoval.of(folder.resolve("nothing"));
    assertTrue(Files.notExists(folder.resolve("nothing")));
  }
}
