package agentsessions.runner.agent;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// What an agent prints, as messages of its transcript while it runs: the lines of a second
/// together, of two seconds when it has run for ten, and of five after a minute.
///
/// A message keeps its last line's end, so that all of them in a row are what was printed. How much
/// one holds is limited; how many lines were left out is its last line.
///
/// The last line that is not blank is held back until another follows, for it may be the end: so
/// what was shown is never all of the reply, however long the agent goes on in silence. The reply
/// has everything; a client that shows both shows the rest of it.
public final class LiveOutput implements Consumer<byte[]>, AutoCloseable {
  private static final int MOST = 16 * 1024;
  private static final byte[] NONE = {};

  private final Consumer<Event> events;
  private final Mask mask;
  private final ByteArrayOutputStream pending = new ByteArrayOutputStream();
  private final long began = System.nanoTime();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread sender;
  private byte @Nullable [] last;
  private int blankLines;
  private long leftOut;

  /// @param mask what must not be in it
  public LiveOutput(Consumer<Event> events, Mask mask) {
    this.events = events;
    this.mask = mask;
    this.sender = Thread.ofVirtual().name("output").start(this::send);
  }

  @Override
  public synchronized void accept(byte[] line) {
    if (last != null && new String(line, StandardCharsets.UTF_8).isBlank()) {
      blankLines++;
    } else {
      release();
      last = line;
    }
  }

  /// Says what has not been said yet; for a turn whose reply will not hold it.
  public synchronized void flush() {
    release();
    say();
  }

  private void release() {
    if (last != null) {
      add(last);
      IntStream.range(0, blankLines).forEach(_ -> add(NONE));
      last = null;
      blankLines = 0;
      notifyAll();
    }
  }

  private void add(byte[] line) {
    if (pending.size() + line.length >= MOST) {
      leftOut++;
    } else {
      pending.writeBytes(line);
      pending.write('\n');
    }
  }

  private synchronized void say() {
    String text = mask.text(pending.toString(StandardCharsets.UTF_8));
    pending.reset();
    if (leftOut > 0) {
      text += "[%d more lines]\n".formatted(leftOut);
      leftOut = 0;
    }
    if (!text.isBlank()) {
      events.accept(Event.message(Utf8.clip(text, Limits.MESSAGE)));
    }
  }

  /// No more is said; what came last is left to the reply.
  @Override
  public void close() {
    closed.countDown();
    sender.interrupt();
  }

  private void send() {
    try {
      awaitLine();
      while (!closed.await(pauseSeconds(), TimeUnit.SECONDS)) {
        say();
        awaitLine();
      }
    } catch (InterruptedException noMore) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void awaitLine() throws InterruptedException {
    while (pending.size() == 0 && leftOut == 0) {
      wait();
    }
  }

  private long pauseSeconds() {
    long seconds = Duration.ofNanos(System.nanoTime() - began).toSeconds();
    return seconds < 10 ? 1 : seconds < 60 ? 2 : 5;
  }
}
