package agentsessions.image;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LockedJarsTest {
  private static final LockedJar JAR =
      new LockedJar(
          "ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73", "an.org:made:1.2");

  @TempDir Path machine;
  private Path folder;
  private Path offer;
  private Path repository;
  private LockedJars jars;

  @BeforeEach
  void machine() throws IOException {
    folder = machine.resolve("volume/database");
    offer = Files.createDirectory(machine.resolve("offer"));
    repository = Files.createDirectories(machine.resolve("repository/an/org/made/1.2"));
    jars = new LockedJars(folder, offer, machine.resolve("repository").toUri());
  }

  @Test
  void aJarComesFromTheRepositoryAndReplacesAnotherVersion() throws IOException {
    put(repository, "content");
    Files.writeString(Files.createDirectories(folder).resolve("made-1.1.jar"), "older");
    jars.fill(List.of(JAR));
    assertEquals(List.of("made-1.2.jar: content"), filled());
  }

  @Test
  void whatIsOfferedIsNotAskedFor() throws IOException {
    put(offer, "content");
    jars.fill(List.of(JAR));
    assertEquals(List.of("made-1.2.jar: content"), filled());
  }

  @Test
  void whatIsThereStays() throws IOException {
    put(Files.createDirectories(folder), "content");
    jars.fill(List.of(JAR));
    assertEquals(List.of("made-1.2.jar: content"), filled());
  }

  @Test
  void anotherContentIsRefusedAndNotKept() throws IOException {
    put(repository, "another");
    refused("is not the one that was locked");
  }

  @Test
  void aMissingJarIsNamed() throws IOException {
    refused("an.org:made:jar:1.2");
  }

  @Test
  void mavensOwnRepositoryIsTheUsualOne() throws IOException {
    assertEquals("https", MavenRepository.usual().getScheme());
  }

  private void refused(String why) throws IOException {
    IOException refusal = assertThrows(IOException.class, () -> jars.fill(List.of(JAR)));
    assertTrue(refusal.toString().contains(why), refusal::toString);
    assertEquals(List.of(), filled());
  }

  private static void put(Path folder, String content) throws IOException {
    Files.writeString(folder.resolve("made-1.2.jar"), content);
  }

  private List<String> filled() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(LockedJarsTest::text).toList();
    }
  }

  private static String text(Path file) {
    try {
      return file.getFileName() + ": " + Files.readString(file);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
