package agentsessions.runner.capture;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;

/// A repository's folder in the workspace: its changes are reported as a patch, so its files are
/// not captured one by one. Plans in it are captured, unless they are unchanged since the clone.
///
/// @param path relative to the workspace
/// @param plans git's object ids of the plans that the repository had, by path
public record RepositoryFolder(Path path, Map<String, String> plans) {
  private static final int SHA1 = 40;

  boolean holds(Path file) {
    return file.startsWith(path) && !file.equals(path);
  }

  /// The path of a file relative to the repository.
  Path within(Path file) {
    return path.relativize(file);
  }

  /// Whether a plan has the content that the repository had.
  boolean isUnchanged(UntrustedFolder tree, Path file, long size) {
    String id = plans.get(within(file).toString());
    return id != null && id.equals(id(tree, file, size, id.length() == SHA1 ? "SHA-1" : "SHA-256"));
  }

  /// Git's object id of a file: the hash of its type, size and content.
  private static String id(UntrustedFolder tree, Path file, long size, String algorithm) {
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
