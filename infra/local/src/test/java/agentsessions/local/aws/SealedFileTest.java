package agentsessions.local.aws;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import agentsessions.local.machine.CannotStart;
import agentsessions.local.machine.DataFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests of the encrypted file.
class SealedFileTest {
  private static final String NAME = "parameters";

  private final Path folder;
  private final DataFolder data;

  SealedFileTest(@TempDir Path temp) {
    folder = temp;
    data = DataFolder.take(temp);
  }

  @AfterEach
  void close() {
    data.close();
  }

  @Test
  void aTextIsReadAgainAfterARestart() {
    assertEquals(Optional.empty(), new SealedFile(data, NAME).read());
    new SealedFile(data, NAME).write("one");
    new SealedFile(data, NAME).write("two");
    assertEquals(Optional.of("two"), new SealedFile(data, NAME).read());
  }

  @Test
  void theFileSaysNothingAndIsForItsOwner() throws Exception {
    new SealedFile(data, NAME).write("a secret text");
    assertFalse(Files.readString(folder.resolve(NAME)).contains("secret"));
    for (String file : new String[] {NAME, NAME + ".key"}) {
      assertEquals(
          PosixFilePermissions.fromString("rw-------"),
          Files.getPosixFilePermissions(folder.resolve(file)));
    }
  }

  @Test
  void withoutItsKeyItIsRefusedWithTheWayOut() throws Exception {
    new SealedFile(data, NAME).write("a secret text");
    Files.delete(folder.resolve(NAME + ".key"));
    SealedFile other = new SealedFile(data, NAME);
    CannotStart refusal = assertThrows(CannotStart.class, other::read);
    assertEquals(
        folder.resolve(NAME)
            + " does not open with parameters.key: bring both back from one copy, or remove both"
            + " (secrets are then gone)",
        refusal.reason());
  }
}
