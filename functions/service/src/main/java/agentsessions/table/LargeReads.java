package agentsessions.table;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// The permits of requests that read much: a request that has read 1 MB waits for one of a few,
/// first come, first served, and holds it until it is answered. A function has one request at a
/// time; on one machine all share one memory, and a large page takes ten times its size there while
/// it is made. A request that reads less never waits.
public final class LargeReads {
  static final int PLACES = 3;

  /// The bytes that a request may read without a permit.
  public static final long FREE_BYTES = 1 << 20;

  /// Longer than a request's retry deadline: a request must not fail for waiting here only.
  private static final Duration TIME_LIMIT = Duration.ofSeconds(30);

  private static final Semaphore FREE = new Semaphore(PLACES, true);
  private static final ScopedValue<Reader> READER = ScopedValue.newInstance();

  private static final class Reader {
    private long bytes;
    private boolean seated;
  }

  private LargeReads() {}

  /// Runs a request; what it reads on this thread is counted.
  public static <T, X extends Throwable> T within(ScopedValue.CallableOp<T, X> request) throws X {
    Reader reader = new Reader();
    try {
      return ScopedValue.where(READER, reader).call(request);
    } finally {
      leave(reader);
    }
  }

  /// Gives back the permit, and forgets the bytes: for a request that waits and needs no more of
  /// what it has read.
  public static void forget() {
    if (READER.isBound()) {
      leave(READER.get());
    }
  }

  /// Takes a permit if reading so many bytes more needs one; to be called before the read, with the
  /// bytes that are known to come.
  public static void expect(long bytes) {
    expect(bytes, TIME_LIMIT);
  }

  static void expect(long bytes, Duration patience) {
    if (READER.isBound() && READER.get().bytes + bytes > FREE_BYTES) {
      enter(READER.get(), patience);
    }
  }

  /// Counts bytes that were read.
  static void count(long bytes) {
    if (READER.isBound()) {
      READER.get().bytes += bytes;
    }
  }

  private static void enter(Reader reader, Duration patience) {
    if (!reader.seated) {
      await(patience);
      reader.seated = true;
    }
  }

  private static void await(Duration patience) {
    try {
      if (!FREE.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new Unavailable("large reads", new TimeoutException("all places are taken"));
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new Unavailable("large reads", stopped);
    }
  }

  private static void leave(Reader reader) {
    if (reader.seated) {
      FREE.release();
    }
    reader.seated = false;
    reader.bytes = 0;
  }
}
