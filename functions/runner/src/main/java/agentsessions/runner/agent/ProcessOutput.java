package agentsessions.runner.agent;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/// A reader of one output stream of a process, which keeps a bounded part of it: its beginning, its
/// last 4 KiB, and its length.
public final class ProcessOutput {
  private static final int TAIL = 4096;
  private static final int ROOM = 8192;

  private final int keep;
  private final Consumer<byte[]> lines;
  private final Mask mask;
  private final ByteArrayOutputStream head = new ByteArrayOutputStream();
  private ByteArrayOutputStream line = new ByteArrayOutputStream();
  private byte[] tail = new byte[0];
  private long total;

  /// @param keep how many bytes of the beginning are kept
  /// @param lines gets each line when it is complete, cut to {@link Limits#JSON} bytes
  /// @param mask hides secrets in the text and the tail
  public ProcessOutput(int keep, Consumer<byte[]> lines, Mask mask) {
    this.keep = keep;
    this.lines = lines;
    this.mask = mask;
  }

  /// Reads to the end; calls `exceeded` once when more than `limit` bytes have come, and goes on
  /// reading, so that the writer never hangs on a full pipe.
  public void drain(InputStream stream, long limit, Runnable exceeded) {
    byte[] buffer = new byte[8192];
    try (stream) {
      for (int count = stream.read(buffer); count >= 0; count = stream.read(buffer)) {
        boolean within = total <= limit;
        accept(buffer, count);
        if (within && total > limit) {
          exceeded.run();
        }
      }
    } catch (IOException closed) {
      // The process is gone and with it the pipe: the output ends here.
    }
    endLastLine();
  }

  public synchronized String text() {
    String text = head.toString(StandardCharsets.UTF_8);
    return total > head.size() ? mask.beginning(text) : mask.text(text);
  }

  public synchronized byte[] bytes() {
    return head.toByteArray();
  }

  public synchronized String tail() {
    String text = new String(tail, StandardCharsets.UTF_8);
    return total > tail.length ? mask.ending(text) : mask.text(text);
  }

  private synchronized void accept(byte[] buffer, int count) {
    total += count;
    head.write(buffer, 0, Math.clamp(keep - (long) head.size(), 0, count));
    tail = lastOf(tail, buffer, count);
    split(buffer, count);
  }

  private static byte[] lastOf(byte[] before, byte[] buffer, int count) {
    int fresh = Math.min(count, TAIL);
    int old = Math.min(before.length, TAIL - fresh);
    byte[] last = new byte[old + fresh];
    System.arraycopy(before, before.length - old, last, 0, old);
    System.arraycopy(buffer, count - fresh, last, old, fresh);
    return last;
  }

  private void split(byte[] buffer, int count) {
    int start = 0;
    for (int index = 0; index < count; index++) {
      if (buffer[index] == '\n') {
        append(buffer, start, index);
        endLine();
        start = index + 1;
      }
    }
    append(buffer, start, count);
  }

  /// A line of more than {@link Limits#JSON} bytes is cut, and so is not valid JSON any more.
  private void append(byte[] buffer, int from, int to) {
    line.write(buffer, from, Math.clamp(Limits.JSON - (long) line.size(), 0, to - from));
  }

  private synchronized void endLastLine() {
    if (line.size() > 0) {
      endLine();
    }
  }

  /// The buffer of a long line is freed, not kept for the next line.
  private void endLine() {
    byte[] text = line.toByteArray();
    if (text.length > ROOM) {
      line = new ByteArrayOutputStream();
    } else {
      line.reset();
    }
    lines.accept(text);
  }
}
