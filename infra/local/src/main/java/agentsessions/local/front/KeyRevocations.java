package agentsessions.local.front;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/// A count that grows with each revocation of a key. A cached answer of the authorizer is good for
/// one count only, so a revoked key is refused from the next request on.
///
/// The service counts its own revocations in memory. scripts/keys is another process and cannot, so
/// it makes a file in the data folder one byte longer before it reports success. The file's size is
/// the rest of the count.
public final class KeyRevocations {
  private static final String FILE = "revocations";

  private final AtomicLong own = new AtomicLong();
  private final Optional<Path> others;

  private KeyRevocations(Optional<Path> others) {
    this.others = others;
  }

  /// Those of a service, with what other processes revoke.
  ///
  /// @param data its data folder
  public static KeyRevocations of(Path data) {
    return new KeyRevocations(Optional.of(data.resolve(FILE)));
  }

  /// Those of a gateway that no other process knows.
  static KeyRevocations inMemory() {
    return new KeyRevocations(Optional.empty());
  }

  /// Tells the service of a data folder about a revocation that is stored already.
  ///
  /// @throws UncheckedIOException if it cannot be told
  public static void tell(Path data) {
    Path file = data.resolve(FILE);
    try {
      if (Files.notExists(file)) {
        Files.createFile(
            file,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      }
      Files.writeString(file, ".", StandardOpenOption.APPEND);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  void add() {
    own.incrementAndGet();
  }

  long count() {
    return own.get() + (others.isPresent() ? size(others.get()) : 0);
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (NoSuchFileException none) {
      return 0;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
