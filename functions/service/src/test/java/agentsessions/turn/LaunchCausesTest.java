package agentsessions.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.aws.InMemoryAws;
import agentsessions.aws.InMemoryBucket;
import agentsessions.aws.InMemoryTable;
import agentsessions.aws.Launches;
import agentsessions.aws.RecordedTaskCalls;
import agentsessions.aws.StartedTasks;
import agentsessions.aws.TableLayer;
import agentsessions.jobs.sweep.OverdueTurns;
import agentsessions.session.Engine;
import agentsessions.session.Turn;
import agentsessions.session.TurnError;
import agentsessions.store.session.Turns;
import agentsessions.testing.SettableClock;
import agentsessions.turn.catalogue.AgentCatalogue;
import agentsessions.turn.catalogue.Engines;
import agentsessions.turn.catalogue.Offers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.ecs.model.ClusterNotFoundException;
import software.amazon.awssdk.services.ecs.model.Task;
import software.amazon.awssdk.services.lambda.model.ResourceNotFoundException;
import software.amazon.awssdk.services.lambda.model.TooManyRequestsException;

/// Each row of the table of causes in this package's description, played.
class LaunchCausesTest {
  private static final Path TABLE = Path.of("src/main/java/agentsessions/turn/package-info.java");
  private static final Duration A_MINUTE = Duration.ofMinutes(1);

  @TempDir private Path folder;

  private final SettableClock clock = new SettableClock();
  private final RecordedTaskCalls machine = new RecordedTaskCalls();
  private final Launches lambda = new Launches();
  private final StartedTasks ecs = new StartedTasks();
  private final Restricted table = new Restricted();
  private final InMemoryAws aws =
      InMemoryAws.of(table, new InMemoryBucket(), machine, ecs::runners, clock);
  private final OverdueTurns overdue = aws.overdue(clock);
  private final Turn turn = aws.accepted();
  private int launches;

  static List<Arguments> causes() throws IOException {
    List<Arguments> rows =
        Files.readAllLines(TABLE).stream()
            .filter(line -> line.startsWith("/// | ") && !line.startsWith("/// | cause "))
            .map(line -> line.substring(4).split("\\|", -1))
            .map(cells ->
                Arguments.of(
                    cells[1].strip(),
                    cells[2].strip(),
                    cells[3].strip(),
                    cells[4].strip(),
                    cells[5].strip()))
            .toList();
    assertTrue(rows.size() > 10, "the table of causes has another form");
    return rows;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("causes")
  void isAsTheTableSays(String cause, String counts, String time, String code, String retryable)
      throws IOException {
    while (load().live()) {
      assertEquals(counts.equals("yes") ? launches : 0, queued().failedStarts());
      launches++;
      play(cause, new TurnSteps.Dispatch(turn.key(), load().dispatch()));
      if (load().live()) {
        clock.pass(Duration.between(clock.instant(), queued().dueAt()).plusSeconds(1));
        overdue.handle(new Turns.Due.OfTurn(turn.key()));
      }
    }
    Turn.State.Ended end = load().ended().orElseThrow();
    TurnError error = Objects.requireNonNull(end.error());
    assertEquals(code, error.code());
    assertEquals(retryable.equals("yes"), error.retryable());
    Duration passed = Duration.between(turn.firstStamp().instant(), end.endedAt());
    Duration told = time(time);
    assertTrue(passed.minus(told).abs().compareTo(tolerance(told)) <= 0, "after " + passed);
    assertEquals(counts.equals("yes"), launches == Turn.MAX_STARTS, launches + " launches");
  }

  private void play(String cause, TurnSteps.Dispatch dispatch) throws IOException {
    switch (cause) {
      case "a launch is refused for want of room" ->
          refused(dispatch, TooManyRequestsException.builder().statusCode(429).build());
      case "the answer to a launch is lost" ->
          refused(dispatch, SdkClientException.create("unheard"));
      case "a launch of a function is refused as a mistake" ->
          refused(dispatch, ResourceNotFoundException.builder().statusCode(404).build());
      case "a launch was accepted by Lambda, and dropped for want of room" ->
          failed(dispatch, Optional.empty());
      case "a function was started and fails before the claim" ->
          failed(dispatch, Optional.of("java.io.IOException"));
      case "the service is stopped before the claim" -> {
        run(dispatch, Engine.LAMBDA);
        steps(Engine.LAMBDA, List.of("shell")).fail(dispatch, "Service.Stopped");
      }
      case "a function was started and never claims" -> run(dispatch, Engine.LAMBDA);
      case "a task was not placed, or ended for want of room" ->
          task(dispatch, () -> stopped("TaskFailedToStart", "Capacity is unavailable."));
      case "a task was started and never claims" ->
          task(dispatch, () -> Task.builder().lastStatus("RUNNING").build());
      case "a task was started and fails before the claim" ->
          task(dispatch, () -> stopped("EssentialContainerExited", "it exited"));
      case "a launch of a task is refused as a mistake" -> {
        ecs.refusal()
            .set(() -> {
              throw ClusterNotFoundException.builder().statusCode(400).build();
            });
        run(dispatch, Engine.FARGATE);
      }
      case "AWS does not allow a call of its steps" -> {
        table.allowsBatches = false;
        run(dispatch, Engine.LAMBDA);
      }
      case "its agent is offered, and nothing can run it now" -> {
        Engines none = new Engines("lambda", List.of(), "none", List.of(), 900, 900);
        steps(new AgentCatalogue(List.of("claude", "shell"), null, List.of(), none))
            .run(dispatch, 0, "token");
      }
      case "its agent is in the catalogue, not offered now" ->
          steps(Engine.LAMBDA, List.of()).run(dispatch, 0, "token");
      case "its agent is in no catalogue any more" ->
          steps(catalogueOfOthers()).run(dispatch, 0, "token");
      default -> throw new AssertionError("no such cause is played: " + cause);
    }
  }

  private void refused(TurnSteps.Dispatch dispatch, RuntimeException refusal) {
    lambda.refusal().set(refusal);
    run(dispatch, Engine.LAMBDA);
  }

  /// What Lambda says of the launch comes to the execution, which fails.
  private void failed(TurnSteps.Dispatch dispatch, Optional<String> error) {
    run(dispatch, Engine.LAMBDA);
    TurnSteps steps = steps(Engine.LAMBDA, List.of("shell"));
    String ticket = String.valueOf(lambda.events().getLast().get("ticket"));
    steps.launchFailed(RunnerCredential.parse("Bearer " + ticket).orElseThrow(), error);
    steps.fail(dispatch, machine.calls().getLast().split(" ", 2)[0]);
  }

  private void task(TurnSteps.Dispatch dispatch, Supplier<Task> description) {
    run(dispatch, Engine.FARGATE);
    ecs.ends().put("task/" + ecs.asked().getLast().clientToken(), description);
  }

  private static Task stopped(String code, String reason) {
    return Task.builder().lastStatus("STOPPED").stopCode(code).stoppedReason(reason).build();
  }

  private void run(TurnSteps.Dispatch dispatch, Engine engine) {
    steps(engine, List.of("shell")).run(dispatch, 0, "token");
  }

  private TurnSteps steps(Engine engine, List<String> offered) {
    return steps(new AgentCatalogue(offered, null, List.of(), Offers.on(engine)));
  }

  private TurnSteps steps(AgentCatalogue catalogue) {
    return aws.steps(catalogue, lambda.function(), ecs::runners, new RunnerAddress(""), clock);
  }

  private AgentCatalogue catalogueOfOthers() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("agents.yaml"), "other: {command: [a], reply: {from: stdout}}\n");
    return new AgentCatalogue(
        List.of("other"), file.toString(), List.of(), Offers.on(Engine.LAMBDA));
  }

  private static Duration time(String told) {
    return told.equals("the queue's time")
        ? Duration.ofSeconds(InMemoryAws.QUEUE_SECONDS)
        : Duration.ofMinutes(Long.parseLong(told.split(" ", 2)[0]));
  }

  /// A turn that waits is looked at again within minutes.
  private static Duration tolerance(Duration told) {
    return told.toHours() > 1 ? Duration.ofMinutes(4) : A_MINUTE;
  }

  /// A table from which a role may read no batches, once that is said.
  private static final class Restricted extends TableLayer {
    private boolean allowsBatches = true;

    private Restricted() {
      super(new InMemoryTable(InMemoryAws.TABLE));
    }

    @Override
    public BatchGetItemResponse batchGetItem(BatchGetItemRequest request) {
      if (allowsBatches) {
        return super.batchGetItem(request);
      }
      throw DynamoDbException.builder()
          .statusCode(400)
          .awsErrorDetails(AwsErrorDetails.builder().errorCode("AccessDeniedException").build())
          .build();
    }
  }

  private Turn.State.Queued queued() {
    return assertInstanceOf(Turn.State.Queued.class, load().state());
  }

  private Turn load() {
    return aws.turns().load(turn.key()).orElseThrow();
  }
}
