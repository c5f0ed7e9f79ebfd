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

/// A launcher that runs the `main` of another class and ends this process when its parent is gone.
///
/// The parent holds the write end of stdin, so the end of the stream means that the parent died,
/// even by `kill -9`. With `-Dagentsessions.lock=FILE` the other class starts only once no earlier
/// process holds that file: after a quick restart of the parent, two children must not use the same
/// data.
public final class ParentWatch {
  /// Enough for an orderly exit: one that writes a class cache takes some seconds on a busy
  /// machine.
  private static final int TIMEOUT_MILLIS = 9_000;

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
        timer.schedule(() -> Runtime.getRuntime().halt(1), TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
  }

  /// Takes the lock for the rest of the process: the channel is never closed.
  private static void lock(@Nullable String file) throws IOException {
    if (file != null) {
      FileChannel.open(Path.of(file), StandardOpenOption.CREATE, StandardOpenOption.WRITE).lock();
    }
  }
}
