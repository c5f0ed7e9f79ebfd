package agentsessions.runner.start;

import agentsessions.runner.control.Deadline;
import agentsessions.runner.control.ServiceClient;
import agentsessions.runner.sandbox.AgentProcess;
import agentsessions.runner.turn.Invocation;
import agentsessions.runner.turn.Machine;
import agentsessions.runner.turn.MaskedLog;
import agentsessions.runner.turn.TurnWorker;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The runner as a container task of one session: it runs the turn that it was started for, then
/// waits for the session's next one, and ends when none comes.
///
/// On TERM, a running turn is stopped and saved, for which there is half a minute.
public final class Task {
  private static final Logger LOG = LoggerFactory.getLogger(Task.class);

  /// The time between TERM and KILL that ECS gives a container.
  private static final Duration GOODBYE = Duration.ofSeconds(30);

  private final Invocation first;
  private final Duration idle;
  private final Duration most;
  private final TurnWorker turns;
  private final CountDownLatch done = new CountDownLatch(1);
  private boolean waits;
  private boolean stopped;

  /// Reads the environment: `TICKET`, `URL`, `ATTEMPT` and `SESSION_ID` of the first turn;
  /// `TASK_SECONDS`, the time limit of each turn; `IDLE_SECONDS`, how long to wait for the next
  /// one; and the variables that {@link Machine} reads.
  Task(Map<String, String> environment) {
    this.first =
        new Invocation(
            required(environment, "TICKET"),
            URI.create(required(environment, "URL")),
            Integer.parseInt(environment.getOrDefault("ATTEMPT", "0")),
            required(environment, "SESSION_ID"));
    this.idle = seconds(environment, "IDLE_SECONDS", "300");
    this.most = seconds(environment, "TASK_SECONDS", "28800");
    this.turns = new TurnWorker(Machine.of(environment), Optional.of(first.sessionId()), idle);
  }

  public static void main(String[] arguments) throws IOException {
    MaskedLog.begin();
    Task task = new Task(System.getenv());
    Runtime.getRuntime().addShutdownHook(new Thread(task::stop));
    task.run();
    System.exit(0);
  }

  /// Runs the turns; returns when no other comes.
  ///
  /// @throws IOException if a turn could be neither claimed nor reported
  void run() throws IOException {
    try {
      Optional<Invocation> turn = Optional.of(first);
      while (turn.isPresent()) {
        Optional<ServiceClient> waiting = turns.run(turn.get(), Deadline.of(most));
        turn = waiting.isPresent() ? next(waiting.get()) : Optional.empty();
      }
    } finally {
      done.countDown();
    }
  }

  private Optional<Invocation> next(ServiceClient waiting) throws IOException {
    if (!goesOn(true)) {
      return Optional.empty();
    }
    Optional<ServiceClient.Next> next = waiting.next(idle).filter(_ -> goesOn(false));
    LOG.info(next.isPresent() ? "another turn" : "no other turn");
    return next.map(
        turn -> new Invocation(turn.ticket(), first.url(), turn.attempt(), first.sessionId()));
  }

  /// Returns when the running turn is saved, or cannot be in time.
  private void stop() {
    try {
      if (isStoppedInATurn() && !done.await(GOODBYE.toSeconds(), TimeUnit.SECONDS)) {
        LOG.warn("ended before all was saved");
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    AgentProcess.endAll();
  }

  /// Whether the task may go on; also notes whether it waits for a turn now.
  private synchronized boolean goesOn(boolean toWait) {
    waits = toWait;
    return !stopped;
  }

  private synchronized boolean isStoppedInATurn() {
    stopped = true;
    turns.stop();
    return !waits;
  }

  private static String required(Map<String, String> environment, String name) {
    String value = environment.get(name);
    if (value == null || value.isEmpty()) {
      throw new IllegalArgumentException(name + " is not set");
    }
    return value;
  }

  private static Duration seconds(Map<String, String> environment, String name, String usual) {
    return Duration.ofSeconds(Long.parseLong(environment.getOrDefault(name, usual)));
  }
}
