package agentsessions.local.steps;

import agentsessions.local.steps.ExecutionDescription.Status;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The step engine for one state machine: starts, stops and describes executions, with the naming
/// rules of Step Functions.
///
/// It keeps no journal: after a restart earlier executions are unknown, and the service's sweep
/// starts the lost turns again, as it must be able to do on AWS too.
public final class StepFunctions implements AutoCloseable {
  private static final Duration LONGEST_GOODBYE = Duration.ofSeconds(3);

  /// The same for executions that are told that everything stops, and say so of their turns.
  private static final Duration LONGEST_LAST_WORDS = Duration.ofSeconds(15);

  private static final byte[] NOTHING = {'{', '}'};

  private static final Logger log = LoggerFactory.getLogger(StepFunctions.class);

  private final StateMachineArns arns;
  private final StateMachine machine;
  private final Map<String, Lambda> functions;
  private final Clock clock;
  private final Map<String, Run> runs = new ConcurrentHashMap<>();
  private final EndedExecutions ended;
  private final TaskTokens tokens = new TaskTokens();
  private final CountDownLatch stopping = new CountDownLatch(1);
  private final ScheduledThreadPoolExecutor timer =
      new ScheduledThreadPoolExecutor(
          1, Thread.ofPlatform().daemon().name("steps-timer").factory());

  public StepFunctions(
      StateMachineArns arns, StateMachine machine, Map<String, Lambda> functions, Clock clock) {
    this.arns = arns;
    this.machine = machine;
    this.functions = functions;
    this.clock = clock;
    this.ended = new EndedExecutions(clock);
    timer.setRemoveOnCancelPolicy(true);
  }

  /// The ARNs of the machine and its executions.
  public StateMachineArns arns() {
    return arns;
  }

  /// Starts an execution. It is idempotent: the same name and input, while it runs, return the same
  /// execution.
  ///
  /// @return empty if the name is taken by an ended execution that is kept, or one with another
  ///   input
  public Optional<ExecutionDescription> start(String name, String input) {
    StateJson.checked(input.getBytes(StandardCharsets.UTF_8));
    Object parsed = StateJson.read(input.getBytes(StandardCharsets.UTF_8));
    Run fresh =
        new Run(
            new ExecutionDescription(
                name, input, Status.RUNNING, clock.instant(), null, null, null, null));
    // An execution that is not among the running any more was kept before it left them.
    @Nullable Run present =
        runs.computeIfAbsent(name, _ -> ended.find(name).isPresent() ? null : fresh);
    if (present == fresh) {
      ExecutionDescription begun = fresh.description; // it may end before this method returns
      fresh.begin(parsed);
      return Optional.of(begun);
    }
    return Optional.ofNullable(present)
        .map(run -> run.description)
        .filter(running -> running.status() == Status.RUNNING && running.input().equals(input));
  }

  /// Ends an execution as aborted; an ended one is not changed. A running function is not
  /// interrupted.
  public Optional<ExecutionDescription> stop(
      String name, @Nullable String error, @Nullable String cause) {
    return Optional.ofNullable(runs.get(name))
        .map(run -> run.end(Status.ABORTED, null, error, cause))
        .or(() -> ended.find(name));
  }

  /// The execution of this name, if it runs or is kept among the ended ones.
  public Optional<ExecutionDescription> describe(String name) {
    return Optional.ofNullable(runs.get(name))
        .map(run -> run.description)
        .or(() -> ended.find(name));
  }

  /// Takes a heartbeat for a task's token. False if no task waits for it.
  public boolean heartbeat(String token) {
    return tokens.find(token).map(task -> done(task::heartbeat)).orElse(false);
  }

  /// Completes a task by its token. False if no task waits for it.
  ///
  /// @param output JSON
  public boolean succeed(String token, String output) {
    byte[] json = output.getBytes(StandardCharsets.UTF_8);
    return tokens.find(token).map(task -> done(() -> task.succeed(json))).orElse(false);
  }

  /// Fails a task by its token. False if no task waits for it.
  public boolean fail(String token, StepError error) {
    return tokens.find(token).map(task -> done(() -> task.fail(error))).orElse(false);
  }

  /// Fails the task of an execution that waits for its token, if there is one. It is for the engine
  /// of this machine, which sees that the process or container of the task has ended.
  public void failTask(String name, StepError error) {
    waiting(name).ifPresent(task -> task.fail(error));
  }

  /// The same for a process or container that has ended with success.
  public void endTask(String name) {
    waiting(name).ifPresent(task -> task.succeed(NOTHING));
  }

  private Optional<TaskToken> waiting(String name) {
    return Optional.ofNullable(runs.get(name)).flatMap(Run::waiting);
  }

  private static boolean done(Runnable end) {
    end.run();
    return true;
  }

  /// Starts to stop: no new state is entered, pauses end, and tasks fail with [StepError#STOPPED],
  /// which their executions may still catch.
  public void windDown() {
    stopping.countDown();
  }

  /// Stops all executions: those whose task had begun when they have handled its end, which takes
  /// long on a busy machine only, the others after three seconds at most.
  @Override
  public void close() {
    windDown();
    // The processes that they had started have ended with the runner.
    StepError stopped = new StepError(StepError.STOPPED, "everything stops");
    Instant now = Instant.now();
    List<Run> told = runs.values().stream().filter(run -> run.waiting().isPresent()).toList();
    told.forEach(run -> run.waiting().ifPresent(task -> task.fail(stopped)));
    awaitAll(told, now.plus(LONGEST_LAST_WORDS));
    awaitAll(runs.values(), now.plus(LONGEST_GOODBYE));
    runs.values().forEach(run -> run.end(Status.ABORTED, null, null, null));
    timer.shutdownNow();
  }

  private static void awaitAll(Collection<Run> runs, Instant deadline) {
    runs.forEach(run -> run.await(Duration.between(Instant.now(), deadline)));
  }

  private final class Run {
    private volatile ExecutionDescription description;
    private volatile @Nullable Thread thread;
    private volatile @Nullable Future<?> timeout;
    private volatile @Nullable Execution execution;

    Run(ExecutionDescription description) {
      this.description = description;
    }

    synchronized void begin(Object input) {
      if (description.status() != Status.RUNNING) {
        return; // stopped before it began
      }
      timeout =
          timer.schedule(
              () -> end(Status.TIMED_OUT, null, StepError.TIMEOUT, null),
              machine.timeout().toSeconds(),
              TimeUnit.SECONDS);
      thread = Thread.ofVirtual().name(description.name()).start(() -> work(input));
    }

    void await(Duration time) {
      @Nullable Thread running = thread;
      try {
        boolean _ = running == null || !time.isPositive() || running.join(time);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    Optional<TaskToken> waiting() {
      return Optional.ofNullable(execution).flatMap(Execution::waiting);
    }

    private void work(Object input) {
      Execution fresh = new Execution(machine, functions, identity(input), tokens, clock, stopping);
      execution = fresh;
      try {
        Object output = fresh.run(input);
        end(
            Status.SUCCEEDED,
            new String(StateJson.write(output), StandardCharsets.UTF_8),
            null,
            null);
      } catch (StepError e) {
        end(Status.FAILED, null, e.error(), e.cause());
      } catch (InterruptedException e) {
        end(Status.ABORTED, null, null, null);
      } catch (RuntimeException e) {
        log.error("A defect of the step engine", e);
        end(Status.FAILED, null, StepError.RUNTIME, e.toString());
      }
    }

    private Map<String, Object> identity(Object input) {
      Map<String, Object> identity = new LinkedHashMap<>();
      identity.put("Id", arns.execution(description.name()));
      identity.put("Name", description.name());
      identity.put("StartTime", description.started().toString());
      identity.put("Input", input);
      return identity;
    }

    /// Ends the execution, unless it has ended already: nothing but its description is left.
    synchronized ExecutionDescription end(
        Status how, @Nullable String output, @Nullable String error, @Nullable String cause) {
      if (description.status() == Status.RUNNING) {
        ExecutionDescription over = description.ended(how, clock.instant(), output, error, cause);
        ended.add(over);
        runs.remove(over.name(), this);
        description = over;
        report();
        @Nullable Future<?> later = timeout;
        if (later != null) {
          later.cancel(false);
        }
        @Nullable Thread running = thread;
        if (running != null && running != Thread.currentThread()) {
          running.interrupt();
        }
      }
      return description;
    }

    private void report() {
      log.atLevel(
              description.status() == Status.FAILED
                  ? org.slf4j.event.Level.WARN
                  : org.slf4j.event.Level.DEBUG)
          .addKeyValue("execution", description.name())
          .addKeyValue("status", description.status())
          .addKeyValue("error", String.valueOf(description.error()))
          .log("execution ended");
    }
  }
}
