package agentsessions.local.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.local.aws.Credentials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests of the data folder: one process at a time, and secrets for its owner only.
class DataFolderTest {
  @TempDir Path temp;

  @Test
  void aSecondInstanceIsRefusedByName() {
    Path folder = temp.resolve("new/data");
    try (DataFolder data = DataFolder.take(folder)) {
      CannotStart refusal = assertThrows(CannotStart.class, () -> DataFolder.take(folder));
      assertTrue(
          refusal.reason().contains("process " + ProcessHandle.current().pid()), refusal.reason());
      assertTrue(refusal.reason().contains(data.root().toString()), refusal.reason());
    }
    DataFolder.take(folder).close();
  }

  @Test
  void whatIsNoFolderIsRefused() throws Exception {
    Path file = Files.createFile(temp.resolve("file"));
    CannotStart refusal = assertThrows(CannotStart.class, () -> DataFolder.take(file));
    assertTrue(refusal.reason().contains("is not a folder"), refusal.reason());
  }

  @Test
  void secretsAreKeptForTheOwner() throws Exception {
    try (DataFolder data = DataFolder.take(temp)) {
      data.keepSecret("key", "one");
      data.keepSecret("key", "two");
      assertEquals("two", data.secret("key").orElseThrow());
      assertTrue(data.secret("other").isEmpty());
      assertEquals("rw-------", permissions(temp.resolve("key")));
      assertEquals("rwx------", permissions(data.folder("inner")));
      Credentials first = Credentials.ofLinks(data);
      assertEquals(first, Credentials.ofLinks(data));
    }
  }

  @Test
  void aFolderThatIsThereKeepsItsPermissions() throws Exception {
    Path shared = Files.createDirectory(temp.resolve("shared"));
    Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxr-xr-x"));
    DataFolder.take(shared).close();
    assertEquals("rwxr-xr-x", permissions(shared));
  }

  @Test
  void dataOfAnotherFormatIsRefusedAndLeftAsItIs() throws Exception {
    try (DataFolder data = DataFolder.take(temp.resolve("data"))) {
      data.requireFormat(1);
      data.folder(DataFolder.TABLE);
      data.requireFormat(1);
      CannotStart refusal = assertThrows(CannotStart.class, () -> data.requireFormat(2));
      assertTrue(refusal.reason().contains("is of format 1, and this version reads format 2"));
      assertTrue(refusal.reason().contains("--data"), refusal.reason());
      data.requireFormat(1);
    }
  }

  @Test
  void dataWithoutAFormatIsOlderThanAnyVersion() {
    try (DataFolder data = DataFolder.take(temp.resolve("data"))) {
      data.folder(DataFolder.TABLE);
      CannotStart refusal = assertThrows(CannotStart.class, () -> data.requireFormat(1));
      assertTrue(refusal.reason().contains("is of format 0"), refusal.reason());
      assertTrue(data.secret("format").isEmpty());
    }
  }

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }
}
