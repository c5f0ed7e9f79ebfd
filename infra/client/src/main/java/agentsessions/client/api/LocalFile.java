package agentsessions.client.api;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/// A file of this machine that goes along with a message.
///
/// @param path where the agent finds it, relative to `/workspace`
/// @param size in bytes
public record LocalFile(Path file, String path, long size) {

  /// Of `PATH[:TARGET]`; the name of a file that is there may have colons itself. Without a target
  /// the agent finds it by its name, with one that ends in `/` in that folder.
  ///
  /// @throws ChatFailure if there is no such file to be read
  public static LocalFile of(String argument) {
    int colon = Files.exists(path(argument)) ? -1 : argument.lastIndexOf(':');
    Path file = path(colon < 0 ? argument : argument.substring(0, colon));
    if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
      throw new ChatFailure("--file: there is no file " + file + " that can be read");
    }
    String target = colon < 0 ? "" : argument.substring(colon + 1);
    boolean isFolder = target.isEmpty() || target.endsWith("/");
    return new LocalFile(file, isFolder ? target + file.getFileName() : target, size(file));
  }

  private static Path path(String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new ChatFailure("--file: that is not the name of a file");
    }
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      throw new ChatFailure("--file: cannot read " + file);
    }
  }
}
