package agentsessions.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/// A jar in a version, and the only content that is taken for it.
///
/// @param sum the SHA-256 of its content, in hexadecimal digits
/// @param coordinates as `group:artifact:version`
record LockedJar(String sum, String coordinates) {

  /// The jars of a lock file, one a line: the sum and the coordinates.
  static List<LockedJar> of(Path lock) throws IOException {
    return Files.readAllLines(lock).stream()
        .map(line -> line.split(" +", -1))
        .map(words -> new LockedJar(words[0], words[1]))
        .toList();
  }

  /// The name of its file, as Maven has it.
  String file() {
    String[] parts = coordinates.split(":", -1);
    return parts[1] + "-" + parts[2] + ".jar";
  }

  boolean isContentOf(Path file) throws IOException {
    return Files.isRegularFile(file) && sum.equals(sumOf(Files.readAllBytes(file)));
  }

  private static String sumOf(byte[] content) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    } catch (NoSuchAlgorithmException everyJvmHasIt) {
      throw new IllegalStateException(everyJvmHasIt);
    }
  }
}
