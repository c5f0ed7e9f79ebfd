package agentsessions.chaos.rig;

import agentsessions.lambda.SweepHandler;
import agentsessions.lambda.TurnStepsHandler;
import agentsessions.local.LocalService;
import agentsessions.local.Settings;
import agentsessions.talk.Client;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.http.apache5.ProxyConfiguration;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/// The test rig: the whole service in this process, behind the `AwsProxy`.
///
/// By itself no turn moves: starts of executions are swallowed and the scheduled sweeps find
/// nothing, so that an experiment plays the state machine and the runner (`StubRunner`) step by
/// step.
public final class Rig implements AutoCloseable {
  private static final Logger LOG = (Logger) LoggerFactory.getLogger("agentsessions");
  private static final String QUIET = "{\"Items\":[],\"Count\":0,\"ScannedCount\":0}";
  private static final String STARTED =
      "{\"executionArn\":\"arn:aws:states:us-east-1:0:execution:t:x\",\"startDate\":1}";

  /// The default retry budget of a request, in seconds.
  public static final int REQUEST_SECONDS = 20;

  private static final AtomicInteger NEXT = new AtomicInteger();

  private final AwsProxy wire;
  private final LocalService service;
  private final RequestStreamHandler steps;
  private final RequestStreamHandler sweep;
  private final DynamoDbClient table;
  private final AtomicBoolean sweeps;
  private final StubEngine launches;
  private final @Nullable Level usual;

  private Rig(
      AwsProxy wire,
      LocalService service,
      AtomicBoolean sweeps,
      StubEngine launches,
      @Nullable Level usual) {
    this.wire = wire;
    this.service = service;
    this.sweeps = sweeps;
    this.launches = launches;
    this.usual = usual;
    steps = new TurnStepsHandler(Map.of());
    sweep = new SweepHandler(Map.of());
    AwsBasicCredentials anyone =
        AwsBasicCredentials.create(System.getProperty("aws.accessKeyId"), "x");
    table =
        DynamoDbClient.builder()
            .region(Region.US_EAST_1)
            .endpointOverride(URI.create(System.getProperty("aws.endpointUrlDynamoDb")))
            .credentialsProvider(StaticCredentialsProvider.create(anyone))
            .httpClientBuilder(Apache5HttpClient.builder().proxyConfiguration(direct()))
            .build();
  }

  /// @param settings of the service that differ from the defaults
  static Rig open(Path data, Map<String, Object> settings) {
    SharedRig.close();
    @Nullable Level usual = LOG.getLevel();
    LOG.setLevel(Level.OFF); // injected faults make noise
    AtomicBoolean sweeps = new AtomicBoolean();
    StubEngine launches = new StubEngine();
    AwsProxy wire = AwsProxy.open((call, onward) -> still(call, onward, launches, sweeps.get()));
    wire.properties().forEach(System::setProperty);
    try {
      LocalService service =
          LocalService.start(new Settings(0, 0, data, Optional.empty(), settings));
      return new Rig(wire, service, sweeps, launches, usual);
    } catch (RuntimeException e) {
      wire.close();
      throw e;
    }
  }

  /// A rig in which only the experiment moves a turn.
  public static Rig still(Path data) {
    return open(data, Map.of("start.grace.seconds", 3600));
  }

  /// A still rig in which each session has a task of its own, and webhooks may be on this machine.
  static Rig ofTasks(Path data) {
    return open(
        data,
        Map.of("start.grace.seconds", 3600, "engine", "fargate", Settings.ALLOW_PRIVATE, true));
  }

  /// A still rig with the time-outs that the service has on AWS.
  public static Rig impatient(Path data) {
    return impatient(data, REQUEST_SECONDS);
  }

  /// A still rig with time-outs as on AWS, and this retry budget.
  public static Rig impatient(Path data, int requestSeconds) {
    return open(
        data,
        Map.of(
            "start.grace.seconds", 3600,
            "attempt.seconds", 2,
            "request.seconds", requestSeconds));
  }

  public AwsProxy wire() {
    return wire;
  }

  public LocalService service() {
    return service;
  }

  public DynamoDbClient table() {
    return table;
  }

  /// The name of a new workspace, which all calls about it contain.
  public static String workspace() {
    return "c%06d".formatted(NEXT.incrementAndGet());
  }

  public Client client(String workspace, int keys) {
    return Client.of(
        service.baseUrl(),
        Stream.generate(() -> service.createKey(workspace)).limit(keys).toList());
  }

  /// Plays the state machine's `Run` step: the event with which it launches a runner; empty if the
  /// step ended its task itself.
  Optional<JsonNode> run(TurnIds turn, int dispatch) throws IOException {
    launches.play(turn, dispatch);
    step(
        turn,
        dispatch,
        Map.of("step", "run", "attempt", 0, "token", StubEngine.token(turn, dispatch)));
    return launches.of(turn);
  }

  /// The last answer to the task of a turn's execution: an error, or `success`.
  Optional<String> said(TurnIds turn, int dispatch) {
    return launches.said(turn, dispatch);
  }

  public void fail(TurnIds turn, int dispatch) throws IOException {
    step(turn, dispatch, Map.of("step", "fail"));
  }

  public void sweep() throws IOException {
    sweep.handleRequest(
        new ByteArrayInputStream("{}".getBytes(StandardCharsets.UTF_8)),
        new ByteArrayOutputStream(),
        null);
  }

  @Override
  public void close() {
    service.close();
    table.close();
    wire.properties().keySet().forEach(System::clearProperty);
    wire.close();
    LOG.setLevel(usual);
  }

  private void step(TurnIds turn, int dispatch, Map<String, Object> step) throws IOException {
    Map<String, Object> event = new HashMap<>(step);
    event.put("workspace", turn.workspace());
    event.put("session_id", turn.session());
    event.put("thread_id", turn.thread());
    event.put("dispatch", dispatch);
    steps.handleRequest(
        new ByteArrayInputStream(Client.JSON.writeValueAsBytes(event)),
        new ByteArrayOutputStream(),
        null);
  }

  private static ProxyConfiguration direct() {
    return ProxyConfiguration.builder()
        .useSystemPropertyValues(false)
        .useEnvironmentVariableValues(false)
        .build();
  }

  /// The rule of calls without a mark, and of those that an experiment lets pass.
  public ProxyReply still(AwsCall call, AwsProxy.Onward onward)
      throws IOException, InterruptedException {
    return still(call, onward, launches, sweeps.get());
  }

  /// Lets all sweeps, also those of the schedule, find due turns from now on, or nothing.
  public void letSweep(boolean whether) {
    sweeps.set(whether);
  }

  private static ProxyReply still(
      AwsCall call, AwsProxy.Onward onward, StubEngine launches, boolean sweeps)
      throws IOException, InterruptedException {
    if (call.operation().equals("StartExecution")) {
      return ProxyReply.json(200, STARTED);
    }
    Optional<ProxyReply> launch = launches.answer(call);
    if (launch.isPresent()) {
      return launch.get();
    }
    return call.isSweep() && !sweeps ? ProxyReply.json(200, QUIET) : onward.send();
  }
}
