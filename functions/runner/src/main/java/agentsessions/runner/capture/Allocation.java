package agentsessions.runner.capture;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/// The allocated size of a file on the disk, which for a sparse file is less than its length. The
/// JDK does not offer it, so this calls the C library's `statx`.
// Calling the C library, which the JVM has loaded anyway, is the purpose of this type.
@SuppressWarnings("restricted")
final class Allocation {
  private static final Optional<MethodHandle> STATX =
      Linker.nativeLinker()
          .defaultLookup()
          .find("statx")
          .map(address ->
              Linker.nativeLinker()
                  .downcallHandle(
                      address,
                      FunctionDescriptor.of(
                          ValueLayout.JAVA_INT,
                          ValueLayout.JAVA_INT,
                          ValueLayout.ADDRESS,
                          ValueLayout.JAVA_INT,
                          ValueLayout.JAVA_INT,
                          ValueLayout.ADDRESS)));
  private static final int FROM_HERE = -100;
  private static final int NO_FOLLOW = 0x100;
  private static final int BLOCKS_WANTED = 0x400;
  private static final long ANSWER = 256;
  private static final long BLOCKS = 48;
  private static final long BLOCK = 512;

  private Allocation() {}

  /// The allocated bytes; empty where the C library has no `statx`, or it fails.
  static OptionalLong of(Path file) {
    return STATX.isEmpty() ? OptionalLong.empty() : ask(STATX.get(), file);
  }

  private static OptionalLong ask(MethodHandle statx, Path file) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment path = arena.allocateFrom(file.toString());
      MemorySegment answer = arena.allocate(ANSWER, Long.BYTES);
      int failed = (int) statx.invokeExact(FROM_HERE, path, NO_FOLLOW, BLOCKS_WANTED, answer);
      return failed == 0
          ? OptionalLong.of(answer.get(ValueLayout.JAVA_LONG, BLOCKS) * BLOCK)
          : OptionalLong.empty();
    } catch (Throwable impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
