package agentsessions.image;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;

/// The command that fills a folder with exactly the jars of a lock file.
///
/// @param folder the folder to fill
/// @param offer a folder that may have the jars, for machines without a network
/// @param repository the Maven repository that is asked for what the offer has not
record LockedJars(Path folder, Path offer, URI repository) {

  /// Arguments: the lock file, the folder, the offer, and the repository, if it is not the usual
  /// one. Exits with 1 and a sentence on stderr if a jar cannot be had, or is not the one that was
  /// locked.
  public static void main(String[] arguments) {
    try {
      URI repository = arguments.length > 3 ? URI.create(arguments[3]) : MavenRepository.usual();
      new LockedJars(Path.of(arguments[1]), Path.of(arguments[2]), repository)
          .fill(LockedJar.of(Path.of(arguments[0])));
    } catch (IOException | UncheckedIOException failed) {
      System.err.println("Error: " + failed.getMessage());
      System.exit(1);
    }
  }

  void fill(List<LockedJar> jars) throws IOException {
    Files.createDirectories(folder);
    for (LockedJar jar : jars) {
      if (!jar.isContentOf(folder.resolve(jar.file()))) {
        bring(jar);
      }
    }
    removeOthers(jars.stream().map(LockedJar::file).toList());
  }

  private void bring(LockedJar jar) throws IOException {
    Path scratch = Files.createTempDirectory(folder, "new");
    try {
      Path offered = offer.resolve(jar.file());
      Path found =
          Files.exists(offered)
              ? Files.copy(offered, scratch.resolve(jar.file()))
              : new MavenRepository(repository, scratch).file(jar.coordinates());
      if (!jar.isContentOf(found)) {
        throw new IOException(jar.coordinates() + " is not the one that was locked, by its sum");
      }
      Files.move(found, folder.resolve(jar.file()), StandardCopyOption.REPLACE_EXISTING);
    } finally {
      remove(scratch);
    }
  }

  /// A jar of another version would be loaded beside this one.
  private void removeOthers(List<String> names) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        if (!names.contains(file.getFileName().toString())) {
          remove(file);
        }
      }
    }
  }

  private static void remove(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.toList().reversed()) {
        Files.delete(file);
      }
    }
  }
}
