package agentsessions.runner.sandbox.process;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// The one thread that starts every process of the runner, and never ends.
///
/// Agents are started with "die with your parent", and to the kernel the parent is the *thread*
/// that forked: a process started by a thread that returns is killed at once, one started by a
/// virtual thread when its idle carrier is retired, 30 s later.
public final class Spawner {
  private static final ExecutorService THREAD =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().name("spawner").daemon().factory());

  private Spawner() {}

  public static Process start(ProcessBuilder builder) throws IOException {
    Future<Process> started = THREAD.submit(builder::start);
    try {
      return started.get();
    } catch (ExecutionException failed) {
      throw failed.getCause() instanceof IOException cause
          ? cause
          : new IOException(failed.getCause());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException(interrupted);
    }
  }

  /// The thread itself, for the test that it outlives the processes that it started.
  public static Thread thread() throws IOException, InterruptedException, ExecutionException {
    return THREAD.submit(Thread::currentThread).get();
  }
}
