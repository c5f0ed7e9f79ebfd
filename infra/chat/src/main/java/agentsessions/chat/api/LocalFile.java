package agentsessions.chat.api;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/// A file of this machine that is sent with a message.
///
/// @param path its path for the agent, relative to `/workspace`
/// @param size in bytes
public record LocalFile(Path file, String path, long size) {

  /// Parses `PATH[:TARGET]`; the name of an existing file may itself have colons. Without a target
  /// the file keeps its name; a target that ends in `/` is a folder.
  ///
  /// @throws ChatFailure if the file does not exist or cannot be read
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
