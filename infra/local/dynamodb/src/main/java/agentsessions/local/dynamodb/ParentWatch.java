package agentsessions.local.dynamodb;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Runs the `main` of another class, and ends this process when its parent is gone.
///
/// The parent holds the write end of stdin: the end of the stream means that it died, however it
/// died. With `-Dagentsessions.lock=FILE` the other class starts only when no process before holds
/// that file any more: a parent that is started again at once must not meet the old child on the
/// same data.
public final class ParentWatch {
  /// Writing down what a cache is made of takes a busy machine some seconds.
  private static final int PATIENCE_MILLIS = 9_000;

  private ParentWatch() {}

  /// Starts the watch, then the other class in this thread.
  ///
  /// @param arguments the class, then its arguments
  public static void main(String[] arguments) throws ReflectiveOperationException, IOException {
    Thread.ofPlatform().daemon().name("parent-watch").start(ParentWatch::watch);
    lock(System.getProperty("agentsessions.lock"));
    Class.forName(arguments[0])
        .getMethod("main", String[].class)
        .invoke(null, (Object) Arrays.copyOfRange(arguments, 1, arguments.length));
  }

  private static void watch() {
    awaitEnd(System.in);
    haltLater();
    System.exit(0); // not halt: lets the temporary files be removed
  }

  private static void awaitEnd(InputStream stream) {
    try {
      while (stream.read() >= 0) {}
    } catch (IOException e) {
      // A broken pipe is an end too.
    }
  }

  private static void haltLater() {
    ScheduledExecutorService timer =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("halt").factory());
    Future<?> _ =
        timer.schedule(() -> Runtime.getRuntime().halt(1), PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
  }

  /// Held until the process ends: the channel is never closed.
  private static void lock(@Nullable String file) throws IOException {
    if (file != null) {
      FileChannel.open(Path.of(file), StandardOpenOption.CREATE, StandardOpenOption.WRITE).lock();
    }
  }
}
