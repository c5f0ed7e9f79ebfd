package agentsessions.runner.capture;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;

/// A folder of the workspace whose changes are told as a patch, so that its files are not captured
/// one by one; plans are, unless they are as the repository had them.
///
/// @param path relative to the workspace
/// @param plans git's ids of what the repository had at the paths of plans
public record RepositoryFolder(Path path, Map<String, String> plans) {
  private static final int SHA1 = 40;

  boolean holds(Path file) {
    return file.startsWith(path) && !file.equals(path);
  }

  /// A file of the repository, as the repository names it.
  Path within(Path file) {
    return path.relativize(file);
  }

  /// Whether a plan is as the repository had it.
  boolean isUnchanged(Tree tree, Path file, long size) {
    String id = plans.get(within(file).toString());
    return id != null && id.equals(id(tree, file, size, id.length() == SHA1 ? "SHA-1" : "SHA-256"));
  }

  /// As git makes the id of a file: of its kind, its size and its content.
  private static String id(Tree tree, Path file, long size, String algorithm) {
    try (InputStream content = tree.read(file)) {
      MessageDigest digest = MessageDigest.getInstance(algorithm);
      digest.update("blob %d\0".formatted(size).getBytes(StandardCharsets.US_ASCII));
      byte[] buffer = new byte[8192];
      for (int count = content.read(buffer); count >= 0; count = content.read(buffer)) {
        digest.update(buffer, 0, count);
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (IOException unreadable) {
      return "";
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
