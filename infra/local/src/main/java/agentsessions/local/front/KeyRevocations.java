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

/// How many keys have been revoked so far. A cached answer of the authorizer is good for one count
/// only, so a revoked key is refused from the next request on.
///
/// The service counts its own revocations in memory. scripts/keys, which is another process, makes
/// a file of the data folder one byte longer before it reports success.
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
      Files.writeString(file, ".", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
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
