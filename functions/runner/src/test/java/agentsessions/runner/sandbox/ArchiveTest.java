package agentsessions.runner.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.luben.zstd.ZstdOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArchiveTest {
  private static final FileTime THEN = FileTime.from(Instant.parse("2020-02-03T04:05:06.789Z"));

  private @TempDir Path temporary;
  private Path before;
  private Path after;

  @BeforeEach
  void makeFolders() throws IOException {
    before = Files.createDirectory(temporary.resolve("before"));
    after = Files.createDirectory(temporary.resolve("after"));
  }

  @Test
  void contentModesAndTimesComeBack() throws IOException {
    Path script = file("work/bin/run.sh", "echo hello");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("r-xr-x--x"));
    Files.setLastModifiedTime(script, THEN);
    Files.setLastModifiedTime(script.getParent(), THEN);
    pass(List.of("work"));
    Path copy = after.resolve("work/bin/run.sh");
    assertEquals("echo hello", Files.readString(copy));
    assertEquals("r-xr-x--x", PosixFilePermissions.toString(Files.getPosixFilePermissions(copy)));
    assertEquals(THEN, Files.getLastModifiedTime(copy));
    assertEquals(THEN, Files.getLastModifiedTime(copy.getParent()));
  }

  @Test
  void namesOfAllKindsComeBack() throws IOException {
    String longName = "x".repeat(200);
    for (String name : List.of("Ü €.txt", "line\nbreak", longName, "-dash", " ")) {
      file("work/" + longName + "/" + name, name);
    }
    Files.createDirectories(before.resolve("work/empty"));
    pass(List.of("work"));
    for (String name : List.of("Ü €.txt", "line\nbreak", longName, "-dash", " ")) {
      assertEquals(name, Files.readString(after.resolve("work/" + longName + "/" + name)));
    }
    assertTrue(Files.isDirectory(after.resolve("work/empty")));
  }

  @Test
  void aLinkComesBackAsALinkAndIsNeverFollowed() throws IOException {
    Path outside = Files.writeString(temporary.resolve("outside"), "untouched");
    Files.createDirectories(before.resolve("work"));
    Files.createSymbolicLink(before.resolve("work/link"), outside);
    Files.createSymbolicLink(before.resolve("work/dangling"), Path.of("nowhere"));
    pass(List.of("work"));
    assertEquals(outside, Files.readSymbolicLink(after.resolve("work/link")));
    assertEquals(Path.of("nowhere"), Files.readSymbolicLink(after.resolve("work/dangling")));
    assertEquals("untouched", Files.readString(outside));
  }

  @Test
  void onlyWhatIsNamedTravels() throws IOException {
    file("work/a", "a");
    file("io/secret", "b");
    pass(List.of("work", "home", "captured.json"));
    assertTrue(Files.exists(after.resolve("work/a")));
    assertFalse(Files.exists(after.resolve("io")));
  }

  @Test
  void aNameThatLeadsOutIsRefused() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (TarArchiveOutputStream tar = new TarArchiveOutputStream(new ZstdOutputStream(bytes))) {
      TarArchiveEntry entry = new TarArchiveEntry("work/../../evil", true);
      entry.setSize(1);
      tar.putArchiveEntry(entry);
      tar.write('x');
      tar.closeArchiveEntry();
    }
    assertThrows(
        IOException.class,
        () -> Archive.read(new ByteArrayInputStream(bytes.toByteArray()), after::resolve));
    assertFalse(Files.exists(temporary.resolve("evil")));
  }

  private Path file(String name, String content) throws IOException {
    Path path = before.resolve(name);
    Files.createDirectories(path.getParent());
    return Files.writeString(path, content, StandardCharsets.UTF_8);
  }

  private void pass(List<String> names) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Archive.write(before::resolve, names, bytes);
    Archive.read(new ByteArrayInputStream(bytes.toByteArray()), after::resolve);
  }
}
