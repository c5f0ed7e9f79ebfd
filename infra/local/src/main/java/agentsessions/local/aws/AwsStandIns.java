package agentsessions.local.aws;

import agentsessions.local.machine.CannotStart;
import agentsessions.local.machine.DataFolder;
import agentsessions.local.machine.Installation;
import agentsessions.local.machine.StartedParts;
import agentsessions.local.process.TaskEngine;
import agentsessions.local.steps.InProcessFunction;
import agentsessions.local.steps.Lambda;
import agentsessions.local.steps.QueuedSteps;
import agentsessions.local.steps.ReservedConcurrency;
import agentsessions.local.steps.RunnerPlaces;
import agentsessions.local.steps.StateMachine;
import agentsessions.local.steps.StateMachineArns;
import agentsessions.local.steps.StateMachines;
import agentsessions.local.steps.StepFunctions;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import java.net.URI;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;

/// The stand-ins of AWS on this machine, started and connected: database, object store, step
/// engine, and the endpoint of the other services.
///
/// The slow ones start in the background.
public final class AwsStandIns {
  /// The limit of exports built at once, since each takes memory of this process.
  private static final int EXPORTS = 2;

  /// The file of the service's parameters.
  private static final String PARAMETERS = "parameters";

  private final StartedParts parts;
  private final DynamoDbLocal dynamoDb;
  private final DynamoDbClient client;
  private final AwsEndpoint others;
  private final SignedLinks links;
  private final Future<ObjectStore> store;
  private final Future<Boolean> table;

  /// @param parts collects everything that must be closed
  public AwsStandIns(
      Installation installation,
      DataFolder data,
      int s3Port,
      StartedParts parts,
      ExecutorService threads) {
    this.parts = parts;
    Credentials own = Credentials.fresh();
    Credentials forLinks = Credentials.ofLinks(data);
    links = new SignedLinks(own, forLinks);
    dynamoDb =
        parts.keep(
            new DynamoDbLocal(
                installation, data.folder(DataFolder.TABLE), data.logFile("dynamodb")));
    client = parts.keep(AwsProperties.dynamoDb(dynamoDb.endpoint(), own));
    others =
        parts.keep(new AwsEndpoint(forLinks, new ParameterCalls(new SealedFile(data, PARAMETERS))));
    table = threads.submit(this::createTable);
    store =
        threads.submit(
            keeping(() -> new ObjectStore(data.folder("objects"), s3Port, own, forLinks)));
    parts.keep(new UploadExpiry(ObjectStore.bucket(data.folder("objects")))).start();
    AwsProperties.set(own, dynamoDb.endpoint(), done(store).endpoint(), others.endpoint());
    AwsProperties.keep(data, own, dynamoDb.endpoint(), done(store).endpoint());
  }

  /// Starts to run executions.
  ///
  /// @param places of the runner, for which its turns wait
  /// @param tasks the engine of sessions' tasks, if turns run in containers
  /// @return the engine of turns
  public StepFunctions serve(
      StateMachines machines,
      RequestStreamHandler turnSteps,
      Lambda runner,
      RunnerPlaces places,
      Optional<TaskEngine> tasks,
      RequestStreamHandler export,
      RequestStreamHandler webhooks) {
    StepFunctions exports =
        steps(
            StateMachineArns.EXPORT,
            machines.export(),
            Map.of("Export", new ReservedConcurrency(EXPORTS, new InProcessFunction(export))));
    Lambda steps = new InProcessFunction(turnSteps);
    Lambda queued = tasks.isPresent() ? steps : new QueuedSteps(steps, places);
    StepFunctions turns =
        steps(StateMachineArns.TURN, machines.turn(), Map.of("TurnSteps", queued));
    others.serve(
        List.of(turns, exports),
        parts.keep(new WebhookCalls(webhooks)),
        new RunnerCalls(runner, turns, places),
        tasks.map(engine -> new TaskCalls(engine, TaskCalls.telling(turns), Clock.systemUTC())));
    return turns;
  }

  private StepFunctions steps(
      StateMachineArns arns, StateMachine machine, Map<String, Lambda> functions) {
    return parts.keep(new StepFunctions(arns, machine, functions, Clock.systemUTC()));
  }

  /// A client of the database, once the table exists.
  public DynamoDbClient table() {
    done(table);
    return client;
  }

  /// The ports of all stand-ins.
  public List<Integer> ports() {
    return List.of(
        dynamoDb.endpoint().getPort(),
        done(store).endpoint().getPort(),
        others.endpoint().getPort());
  }

  /// The object store's address.
  public URI objects() {
    return done(store).endpoint();
  }

  /// The check of the object store's links.
  public SignedLinks links() {
    return links;
  }

  /// The database's process id, for tests that kill it.
  public long databasePid() {
    return dynamoDb.pid();
  }

  /// The outcome of a background start.
  ///
  /// @throws CannotStart if the start failed with it
  public static <T> T done(Future<T> future) {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof CannotStart reason
          ? reason
          : new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CannotStart("Interrupted", e);
    }
  }

  private <T extends AutoCloseable> Callable<T> keeping(Callable<T> part) {
    return () -> parts.keep(part.call());
  }

  private boolean createTable() throws InterruptedException {
    dynamoDb.start();
    CreateTableRequest definition = LocalTable.definition(); // read while the database comes up
    dynamoDb.await();
    LocalTable.create(client, definition);
    return true;
  }
}
