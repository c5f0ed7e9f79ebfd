package agentsessions.local.steps;

import agentsessions.local.steps.PayloadTemplate.Scope;
import agentsessions.local.steps.State.Catcher;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// An execution of a state machine, on one thread.
///
/// It is not persisted: an execution ends with the process, and the service's sweep starts the turn
/// again.
final class Execution {
  private final StateMachine machine;
  private final Map<String, Lambda> functions;
  private final Map<String, Object> identity;
  private final TaskTokens tokens;
  private final Clock clock;
  private final CountDownLatch stopping;

  /// The task that waits for its token to be returned, if any.
  private volatile @Nullable TaskToken waiting;

  /// @param identity the value of `$states.context.Execution`
  /// @param stopping reaches zero when no new state may be entered
  Execution(
      StateMachine machine,
      Map<String, Lambda> functions,
      Map<String, Object> identity,
      TaskTokens tokens,
      Clock clock,
      CountDownLatch stopping) {
    this.machine = machine;
    this.functions = functions;
    this.identity = identity;
    this.tokens = tokens;
    this.clock = clock;
    this.stopping = stopping;
  }

  /// A transition to the next state with its input; `next` is null at the end.
  ///
  /// @param caught whether a `Catch` leads there: error handling still runs while everything stops
  private record Step(@Nullable String next, Object data, boolean caught) {
    Step(@Nullable String next, Object data) {
      this(next, data, false);
    }
  }

  /// A state that was entered, with the time and the input.
  private record Visit(String name, Instant entered, Object input) {}

  /// Runs the execution to its end.
  ///
  /// @return the output
  /// @throws StepError that nothing caught
  /// @throws InterruptedException also when everything stops before the next state
  Object run(Object input) throws InterruptedException {
    Step step = new Step(machine.startAt(), input);
    while (step.next() != null) {
      if (isStopping() && !step.caught()) {
        throw new InterruptedException("everything stops");
      }
      step = enter(step.next(), step.data());
      StateJson.write(step.data());
    }
    return step.data();
  }

  private Step enter(String name, Object input) throws InterruptedException {
    Visit visit = new Visit(name, clock.instant(), input);
    Scope scope = scope(visit, 0);
    return switch (machine.state(name)) {
      case State.Task task -> task(task, visit);
      case State.Choice choice -> choose(choice, scope, input);
      case State.Wait wait -> {
        pause(seconds(wait.seconds().evaluate(scope)));
        yield new Step(wait.next(), input);
      }
      case State.Succeed _ -> new Step(null, input);
    };
  }

  private Step choose(State.Choice choice, Scope scope, Object input) {
    for (State.Branch branch : choice.branches()) {
      if (holds(branch.condition().evaluate(scope))) {
        return new Step(branch.next(), input);
      }
    }
    if (choice.otherwise() == null) {
      throw new StepError("States.NoChoiceMatched", "no condition is true and there is no Default");
    }
    return new Step(choice.otherwise(), input);
  }

  private Step task(State.Task task, Visit visit) throws InterruptedException {
    RetryCounts tries = new RetryCounts();
    try {
      Object result = tried(task, tries, visit);
      Scope scope = scope(visit, tries.count()).with("result", result);
      return new Step(task.next(), output(task.output(), scope, result));
    } catch (StepError error) {
      return caught(task.catchers(), scope(visit, tries.count()), error);
    }
  }

  private Object tried(State.Task task, RetryCounts tries, Visit visit)
      throws InterruptedException {
    while (true) {
      try {
        return invoke(task, visit, tries.count());
      } catch (StepError seen) {
        StepError error = isStopping() ? new StepError(StepError.STOPPED, seen.cause()) : seen;
        pause(tries.next(task.retriers(), error).orElseThrow(() -> error));
      }
    }
  }

  private Step caught(List<Catcher> catchers, Scope scope, StepError error) {
    Catcher catcher =
        catchers.stream()
            .filter(candidate -> candidate.matches(error))
            .findFirst()
            .orElseThrow(() -> error);
    Object seen = Map.of("Error", error.error(), "Cause", error.cause());
    Object output = output(catcher.output(), scope.with("errorOutput", seen), seen);
    return new Step(catcher.next(), output, true);
  }

  /// The task that waits for its token, if one does.
  Optional<TaskToken> waiting() {
    return Optional.ofNullable(waiting);
  }

  private Object invoke(State.Task task, Visit visit, int retries) throws InterruptedException {
    return task.byToken() ? byToken(task, visit, retries) : answered(task, scope(visit, retries));
  }

  private Object answered(State.Task task, Scope scope) throws InterruptedException {
    byte[] payload = StateJson.write(task.payload().evaluate(scope));
    byte[] answer = call(function(task.function()), payload, task.timeout());
    return Map.of("Payload", StateJson.read(StateJson.checked(answer)), "StatusCode", 200);
  }

  /// Invokes a function and waits for its task token. The token may be returned before the function
  /// has answered. The function's answer is ignored; its failure fails the task.
  private Object byToken(State.Task task, Visit visit, int retries) throws InterruptedException {
    TaskToken token = new TaskToken(task.timeout(), task.heartbeat());
    waiting = token;
    try (TaskTokens.Hold hold = tokens.hold(token)) {
      Scope scope = scope(visit, retries, Map.of("Task", Map.of("Token", hold.text())));
      byte[] payload = StateJson.write(task.payload().evaluate(scope));
      Lambda function = function(task.function());
      Thread.ofVirtual().name("launch").start(() -> launch(function, payload, token));
      return StateJson.read(StateJson.checked(token.await()));
    } finally {
      waiting = null;
    }
  }

  private static void launch(Lambda function, byte[] payload, TaskToken token) {
    try {
      function.invoke(payload);
    } catch (InterruptedException impossible) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException failure) {
      token.fail(named(failure));
    }
  }

  private Lambda function(String name) {
    @Nullable Lambda function = functions.get(name);
    if (function == null) {
      throw new StepError("Lambda.ResourceNotFoundException", "no such function");
    }
    return function;
  }

  /// Invokes a function and waits for its answer. After the time-out the function is not
  /// interrupted, as with Step Functions.
  private static byte[] call(Lambda function, byte[] payload, @Nullable Duration timeout)
      throws InterruptedException {
    FutureTask<byte[]> call = new FutureTask<>(() -> function.invoke(payload));
    Thread.ofVirtual().name("task").start(call);
    try {
      return timeout == null ? call.get() : call.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new StepError(StepError.TIMEOUT, "no answer within " + timeout);
    } catch (ExecutionException e) {
      throw named(e.getCause());
    }
  }

  private static StepError named(@Nullable Throwable failure) {
    if (failure instanceof StepError error) {
      return error;
    }
    return new StepError("Lambda.Unknown", String.valueOf(failure));
  }

  private static Object output(@Nullable PayloadTemplate output, Scope scope, Object otherwise) {
    return output == null ? otherwise : output.evaluate(scope);
  }

  private Scope scope(Visit visit, int retries) {
    return scope(visit, retries, Map.of());
  }

  /// @param more further entries of `$states.context`
  private Scope scope(Visit visit, int retries, Map<String, Object> more) {
    Map<String, Object> state = new LinkedHashMap<>();
    state.put("Name", visit.name());
    state.put("EnteredTime", visit.entered().toString());
    state.put("RetryCount", retries);
    Map<String, Object> states = new LinkedHashMap<>();
    states.put("input", visit.input());
    Map<String, Object> context = new LinkedHashMap<>(more);
    context.put("Execution", identity);
    context.put("State", state);
    states.put("context", context);
    return new Scope(states);
  }

  private static boolean holds(Object condition) {
    if (condition instanceof Boolean truth) {
      return truth;
    }
    throw new StepError(StepError.QUERY, "a condition must be true or false, not " + condition);
  }

  private static Duration seconds(Object value) {
    if (value instanceof Number number && number.doubleValue() >= 0) {
      return Duration.ofSeconds(number.longValue());
    }
    throw new StepError(StepError.QUERY, "Seconds must be a number, not " + value);
  }

  private boolean isStopping() {
    return stopping.getCount() == 0;
  }

  private void pause(Duration time) throws InterruptedException {
    if (stopping.await(time.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new InterruptedException("everything stops");
    }
  }
}
