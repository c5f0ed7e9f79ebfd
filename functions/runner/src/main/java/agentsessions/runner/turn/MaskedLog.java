package agentsessions.runner.turn;

import agentsessions.runner.agent.Mask;
import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// A log stream that masks the secrets of the running turns. No log line should hold one, but the
/// name of a file that an agent made may, or the message of an exception.
public final class MaskedLog extends FilterOutputStream {
  private static final List<Mask> MASKS = new CopyOnWriteArrayList<>();

  private final ByteArrayOutputStream line = new ByteArrayOutputStream();

  MaskedLog(OutputStream log) {
    super(log);
  }

  /// Masks everything that is written to standard error from now on.
  public static void begin() {
    System.setErr(new PrintStream(new MaskedLog(System.err), true, StandardCharsets.UTF_8));
  }

  /// Hides a turn's secrets until the turn ends.
  static Hold of(Mask mask) {
    MASKS.add(mask);
    return new Hold(mask);
  }

  record Hold(Mask mask) implements AutoCloseable {
    @Override
    public void close() {
      MASKS.remove(mask);
    }
  }

  @Override
  public synchronized void write(int one) throws IOException {
    line.write(one);
    if (one == '\n') {
      say();
    }
  }

  @Override
  public synchronized void write(byte[] bytes, int offset, int length) throws IOException {
    for (int index = offset; index < offset + length; index++) {
      write(bytes[index]);
    }
  }

  @Override
  public synchronized void close() throws IOException {
    say();
    super.close();
  }

  private void say() throws IOException {
    String text = line.toString(StandardCharsets.UTF_8);
    line.reset();
    for (Mask mask : MASKS) {
      text = mask.text(text);
    }
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
  }
}
