package agentsessions.table;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// The places of requests that read much. A function has one request at a time; on one machine all
/// are in one memory, and what a large page is made of takes ten times as much of it as the page.
/// So a request that has read 1 MB waits for one of a few places, first come, first served, and has
/// it until it is answered. One that reads less waits for nobody.
public final class LargeReads {
  static final int PLACES = 3;

  /// What a request may read before it needs a place.
  public static final long FREE_BYTES = 1 << 20;

  /// Longer than a request's `Budget`: whoever waits for its turn only is not to be refused for it.
  private static final Duration PATIENCE = Duration.ofSeconds(30);

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

  /// Whoever waits needs nothing any more of what it has read.
  public static void forget() {
    if (READER.isBound()) {
      leave(READER.get());
    }
  }

  /// To be asked before so many bytes are read, as far as that is known.
  public static void expect(long bytes) {
    expect(bytes, PATIENCE);
  }

  static void expect(long bytes, Duration patience) {
    if (READER.isBound() && READER.get().bytes + bytes > FREE_BYTES) {
      enter(READER.get(), patience);
    }
  }

  /// So many were read.
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
