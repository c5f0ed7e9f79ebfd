package agentsessions.local.process;

import agentsessions.local.steps.StepError;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A runner process, with a Runtime API of its own that hands it its turns.
///
/// This process holds the other end of its stdin, so it ends with this process, also after `kill
/// -9`.
final class RunnerProcess implements AutoCloseable {
  private static final long TIMEOUT_SECONDS = 5;

  /// It polls by one request at a time, of which the next may come before the last has quite ended.
  private static final int POLLS = 2;

  /// The exit code of a JVM with `-XX:+ExitOnOutOfMemoryError`.
  private static final int OUT_OF_MEMORY = 3;

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Logger log = LoggerFactory.getLogger(RunnerProcess.class);

  private final BlockingDeque<FunctionCall> work = new LinkedBlockingDeque<>();
  private final RuntimeApi api = new RuntimeApi(work, POLLS);
  private final Process process;
  private volatile long restsSince = System.nanoTime();
  private final Set<FunctionCall> current = ConcurrentHashMap.newKeySet();
  private volatile boolean closing;
  private boolean ended;

  private RunnerProcess(RunnerCommand command) throws IOException {
    process = started(command);
  }

  /// The end of a process before it took its invocation, which can therefore be given to another
  /// process.
  static final class NotBegun extends Exception {
    private static final long serialVersionUID = 1;
  }

  /// The answer of the runner function.
  ///
  /// @param reusable whether its process can take another turn
  @SuppressWarnings("ArrayRecordComponent") // answers are never compared
  record Answer(byte[] body, boolean reusable) {}

  /// The end of the process.
  ///
  /// @param reason for people; empty if the end was intended
  record End(int status, Optional<String> reason) {}

  /// Starts a process.
  ///
  /// @param ended called once when the process has ended
  static RunnerProcess start(RunnerCommand command, BiConsumer<RunnerProcess, End> ended)
      throws IOException {
    RunnerProcess fresh = new RunnerProcess(command);
    CompletableFuture<Void> _ =
        fresh.process.onExit().thenAccept(process -> fresh.hangUp(process, ended));
    return fresh;
  }

  long pid() {
    return process.pid();
  }

  /// Runs a turn; fails with a `StepError`, or with `NotBegun`.
  CompletableFuture<Answer> run(byte[] payload) {
    FunctionCall invocation = new FunctionCall(payload);
    current.add(invocation);
    give(invocation);
    return invocation
        .answer()
        .whenComplete((_, _) -> current.remove(invocation))
        .thenApply(answer -> new Answer(answer, isReusable(answer)));
  }

  /// The number of its turns.
  int turns() {
    return current.size();
  }

  void rests() {
    restsSince = System.nanoTime();
  }

  boolean hasRested(Duration time) {
    return current.isEmpty() && System.nanoTime() - restsSince > time.toNanos();
  }

  /// Closes its stdin, which asks the process to exit; kills it if it has not after five seconds.
  /// When this returns it writes no file any more.
  @Override
  public void close() {
    closing = true;
    try {
      process.getOutputStream().close();
      if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (IOException gone) {
      log.debug("the process was gone", gone);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      process.destroyForcibly();
    }
  }

  private synchronized void give(FunctionCall invocation) {
    if (ended) {
      invocation.answer().completeExceptionally(new NotBegun());
    } else {
      work.add(invocation);
    }
  }

  /// Fails the turns in progress; those that the process had not taken yet go to another one.
  private void hangUp(Process process, BiConsumer<RunnerProcess, End> then) {
    notTaken().forEach(waiting -> waiting.answer().completeExceptionally(new NotBegun()));
    End end = new End(process.exitValue(), reason(process.exitValue()));
    // Before a slow close.
    current.forEach(lost -> lost.fail(StepError.ENDED, "the runner's process has ended"));
    then.accept(this, end);
    api.close();
  }

  /// Ended outside of this lock: whoever hears of it takes the pool's.
  private synchronized List<FunctionCall> notTaken() {
    ended = true;
    List<FunctionCall> waiting = new ArrayList<>();
    work.drainTo(waiting);
    return waiting;
  }

  private Optional<String> reason(int status) {
    if (closing) {
      return Optional.empty();
    }
    String turns = "it had %d turns".formatted(current.size());
    return Optional.of(
        status == OUT_OF_MEMORY ? "turns needed more memory than they may; " + turns : turns);
  }

  /// Whether the answer lacks the mark `spent`, which the function sets if its turn left something
  /// behind in the process.
  private static boolean isReusable(byte[] answer) {
    try {
      return !JSON.readTree(answer).path("spent").asBoolean();
    } catch (IOException odd) {
      return false;
    }
  }

  private Process started(RunnerCommand command) throws IOException {
    try {
      return command.builder(api.address()).start();
    } catch (IOException | RuntimeException failed) {
      api.close();
      throw failed;
    }
  }
}
