package agentsessions.local.aws;

import agentsessions.local.machine.CannotStart;
import agentsessions.local.machine.DataFolder;
import agentsessions.local.machine.Installation;
import agentsessions.local.machine.Started;
import agentsessions.local.process.Tasks;
import agentsessions.local.steps.Arns;
import agentsessions.local.steps.AtOnce;
import agentsessions.local.steps.InProcess;
import agentsessions.local.steps.Lambda;
import agentsessions.local.steps.Machines;
import agentsessions.local.steps.StateMachine;
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

/// AWS, as far as the service uses it: the table, the objects, and the calls to Step Functions,
/// Secrets Manager and Parameter Store.
///
/// What is slow starts in the background.
public final class StandIns {
  /// How many are built at once: each takes some of this process's memory.
  private static final int EXPORTS = 2;

  /// Holds what the service keeps in Parameter Store.
  private static final String PARAMETERS = "parameters";

  private final Started parts;
  private final DynamoDbLocal dynamoDb;
  private final DynamoDbClient client;
  private final AwsEndpoint others;
  private final SignedLinks links;
  private final Future<ObjectStore> store;
  private final Future<Boolean> table;

  /// @param parts gets everything that must be ended
  public StandIns(
      Installation installation,
      DataFolder data,
      int s3Port,
      Started parts,
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
    parts.keep(new Lifecycle(ObjectStore.uploads(data.folder("objects")))).start();
    AwsProperties.set(own, dynamoDb.endpoint(), done(store).endpoint(), others.endpoint());
    AwsProperties.keep(data, own, dynamoDb.endpoint(), done(store).endpoint());
  }

  /// Runs executions from now on; those of turns.
  ///
  /// @param tasks the engine of sessions' tasks, where there is one
  public StepFunctions serve(
      Machines machines,
      RequestStreamHandler turnSteps,
      Lambda runner,
      Optional<Tasks> tasks,
      RequestStreamHandler export,
      RequestStreamHandler webhooks) {
    StepFunctions exports =
        steps(
            Arns.EXPORT,
            machines.export(),
            Map.of("Export", new AtOnce(EXPORTS, new InProcess(export))));
    StepFunctions turns =
        steps(Arns.TURN, machines.turn(), Map.of("TurnSteps", new InProcess(turnSteps)));
    others.serve(
        List.of(turns, exports),
        parts.keep(new AsyncCalls(webhooks)),
        new RunnerCalls(runner, turns),
        tasks.map(engine -> new TaskCalls(engine, TaskCalls.telling(turns), Clock.systemUTC())));
    return turns;
  }

  private StepFunctions steps(Arns arns, StateMachine machine, Map<String, Lambda> functions) {
    return parts.keep(new StepFunctions(arns, machine, functions, Clock.systemUTC()));
  }

  /// A client of the table, which is there from now on.
  public DynamoDbClient table() {
    done(table);
    return client;
  }

  /// Where all of them listen.
  public List<Integer> ports() {
    return List.of(
        dynamoDb.endpoint().getPort(),
        done(store).endpoint().getPort(),
        others.endpoint().getPort());
  }

  /// Where the object store is.
  public URI objects() {
    return done(store).endpoint();
  }

  /// The links that the object store takes.
  public SignedLinks links() {
    return links;
  }

  /// The database's process; for tests, which kill it.
  public long databasePid() {
    return dynamoDb.pid();
  }

  /// The outcome of what was started in the background.
  ///
  /// @throws CannotStart if that is how it ended
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
