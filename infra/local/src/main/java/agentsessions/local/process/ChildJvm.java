package agentsessions.local.process;

import agentsessions.local.machine.CannotStart;
import agentsessions.local.machine.Failures;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A supervised child process, started again whenever it ends.
///
/// This process holds the other end of the child's stdin, so the child sees the end of that stream
/// when this process is gone, also after `kill -9`.
public final class ChildJvm implements AutoCloseable {
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
  private static final Duration STABLE = Duration.ofMinutes(1);
  private static final long GRACE_MILLIS = 300;
  private static final long TIMEOUT_SECONDS = 5;

  /// The exit code of a JVM with `-XX:+ExitOnOutOfMemoryError`.
  private static final int OUT_OF_MEMORY = 3;

  private static final Logger log = LoggerFactory.getLogger(ChildJvm.class);

  private final String name;
  private final Supplier<ProcessBuilder> command;
  private final Runnable exited;
  private final CountDownLatch closing = new CountDownLatch(1);
  private volatile @Nullable Process process;

  /// @param command called for each start
  /// @param exited called each time the child has ended by itself
  public ChildJvm(String name, Supplier<ProcessBuilder> command, Runnable exited) {
    this.name = name;
    this.command = command;
    this.exited = exited;
  }

  /// Starts the child and its supervision.
  public void start() {
    launch();
    Thread.ofVirtual().name(name + "-watch").start(this::supervise);
  }

  /// The child's process id, for tests that kill it.
  public long pid() {
    @Nullable Process current = process;
    return current == null ? -1 : current.pid();
  }

  @Override
  public void close() {
    closing.countDown();
    end();
  }

  private synchronized void end() {
    @Nullable Process current = process;
    if (current != null) {
      closeQuietly(current.getOutputStream());
      awaitEnd(current);
    }
  }

  private synchronized void launch() {
    if (closing.getCount() > 0) {
      try {
        process = command.get().start();
      } catch (IOException e) {
        throw new CannotStart("Cannot start " + name + ": " + Failures.text(e), e);
      }
    }
  }

  private void supervise() {
    try {
      Duration pause = Duration.ofMillis(100);
      while (closing.getCount() > 0) {
        Instant started = Instant.now();
        awaitExit();
        report();
        boolean stable = started.plus(STABLE).isBefore(Instant.now());
        pause =
            stable
                ? Duration.ofMillis(100)
                : Collections.min(List.of(pause.multipliedBy(2), LONGEST_PAUSE));
        if (!closing.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
          again();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void awaitExit() throws InterruptedException {
    @Nullable Process current = process;
    if (current != null) {
      current.waitFor();
    }
  }

  /// Reports an unexpected end, after a moment: the signal that stops this process may have ended
  /// the child first.
  private void report() throws InterruptedException {
    if (!closing.await(GRACE_MILLIS, TimeUnit.MILLISECONDS)) {
      log.atWarn()
          .addKeyValue("status", status())
          .log("{} has ended{} and is started again", name, reason());
      exited.run();
    }
  }

  private void again() {
    try {
      launch();
    } catch (CannotStart e) {
      log.error(e.reason());
    }
  }

  private String reason() {
    return status() == OUT_OF_MEMORY ? " for want of memory" : "";
  }

  private int status() {
    @Nullable Process current = process;
    return current == null ? -1 : current.exitValue();
  }

  /// Waits for the child, which the end of its stdin asks to exit; sends a signal if it does not,
  /// and kills it if that is in vain. A killed one is waited for, too: it holds its ports and locks
  /// until it is gone.
  private static void awaitEnd(Process process) {
    try {
      if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
        process.destroy();
      }
      if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
        boolean _ = process.destroyForcibly().waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS);
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  private static void closeQuietly(OutputStream stream) {
    try {
      stream.close();
    } catch (IOException e) {
      log.debug("the child was gone", e);
    }
  }
}
