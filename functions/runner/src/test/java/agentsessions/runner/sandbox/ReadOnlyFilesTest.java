package agentsessions.runner.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadOnlyFilesTest {
  @TempDir Path root;
  private ReadOnlyFiles readOnly;

  @BeforeEach
  void open() {
    readOnly = new ReadOnlyFiles(root, root.resolve("list"));
  }

  @Test
  void theyAreThereUntilTheyAreRemoved() throws IOException {
    readOnly.write(Map.of("/etc/one/a", "first"));
    readOnly.write(Map.of("/etc/two/b", "second"));
    assertFalse(Files.exists(root.resolve("etc/one/a")));
    Path second = root.resolve("etc/two/b");
    assertEquals("second", Files.readString(second));
    assertEquals("r-xr-xr-x", permissions(second));
    assertEquals("rwxr-xr-x", permissions(root.resolve("etc/two")));
    readOnly.write(Map.of());
    assertTrue(Files.exists(second), "a command without files changes nothing");
    readOnly.remove();
    readOnly.remove();
    assertFalse(Files.exists(second));
  }

  @Test
  void aFileOfTheImageIsKept() throws IOException {
    Path own = Files.writeString(Files.createDirectory(root.resolve("etc")).resolve("own"), "own");
    assertThrows(IOException.class, () -> readOnly.write(Map.of("/etc/own", "ours")));
    readOnly.remove();
    assertEquals("own", Files.readString(own));
  }

  @Test
  void noneIsWhereTheAgentCouldChangeIt() throws IOException {
    Path open = Files.createDirectory(root.resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
    assertThrows(IOException.class, () -> readOnly.write(Map.of("/open/below/file", "")));
    Files.createSymbolicLink(root.resolve("link"), Files.createDirectory(root.resolve("other")));
    assertThrows(IOException.class, () -> readOnly.write(Map.of("/link/file", "")));
    assertFalse(Files.exists(root.resolve("other/file")));
  }

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }
}
