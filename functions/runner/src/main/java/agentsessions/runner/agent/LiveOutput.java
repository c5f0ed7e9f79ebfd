package agentsessions.runner.agent;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The live transcript of an agent's plain output: a line after silence is shown at once, and then
/// the lines of one second make one message, of two seconds once the agent has run for ten seconds,
/// and of five after a minute.
///
/// A message keeps its last newline, so that all messages in a row are what was printed. A message
/// is at most 16 KiB long; its last line then says how many lines were left out.
///
/// The last line that is not blank is held back until another follows, since it may be the end of
/// the reply: what was shown is never the whole reply, even if the agent stays silent for long. The
/// reply has all lines; a client that shows both shows what the reply has beyond the messages.
public final class LiveOutput implements Consumer<byte[]>, AutoCloseable {
  private static final int MOST = 16 * 1024;
  private static final byte[] NONE = {};

  /// An agent that ends right after its last lines leaves them all to the reply, without a message
  /// that would cost a call.
  private static final long LAST_WORDS_MILLIS = 8;

  private final Consumer<Event> events;
  private final Mask mask;
  private final LongUnaryOperator pause;
  private final ByteArrayOutputStream pending = new ByteArrayOutputStream();
  private final long began = System.nanoTime();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread sender;
  private byte @Nullable [] last;
  private int blankLines;
  private long leftOut;

  /// @param mask hides secrets
  public LiveOutput(Consumer<Event> events, Mask mask) {
    this(events, mask, LiveOutput::pause);
  }

  /// @param pause the seconds after a message, by those that the agent has run
  LiveOutput(Consumer<Event> events, Mask mask, LongUnaryOperator pause) {
    this.events = events;
    this.mask = mask;
    this.pause = pause;
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

  /// Sends what is still held back; for a turn whose reply will not contain it.
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

  /// Stops sending; the lines that are still held back are left to the reply.
  @Override
  public void close() {
    closed.countDown();
    sender.interrupt();
  }

  private void send() {
    try {
      awaitLine();
      while (!closed.await(LAST_WORDS_MILLIS, TimeUnit.MILLISECONDS)) {
        say();
        long ran = Duration.ofNanos(System.nanoTime() - began).toSeconds();
        if (closed.await(pause.applyAsLong(ran), TimeUnit.SECONDS)) {
          return;
        }
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

  private static long pause(long ran) {
    return ran < 10 ? 1 : ran < 60 ? 2 : 5;
  }
}
