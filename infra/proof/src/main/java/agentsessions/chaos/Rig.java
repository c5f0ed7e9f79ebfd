package agentsessions.chaos;

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

/// The whole service in this process, behind the `AwsProxy`.
///
/// By itself nothing happens to a turn: starts are swallowed and the schedule's sweeps find
/// nothing, so that an experiment plays the state machine and the runner (`StubRunner`) step by
/// step.
final class Rig implements AutoCloseable {
  private static final Logger LOG = (Logger) LoggerFactory.getLogger("agentsessions");
  private static final String QUIET = "{\"Items\":[],\"Count\":0,\"ScannedCount\":0}";
  private static final String STARTED =
      "{\"executionArn\":\"arn:aws:states:us-east-1:0:execution:t:x\",\"startDate\":1}";
  private static final AtomicInteger NEXT = new AtomicInteger();

  private final AwsProxy wire;
  private final LocalService service;
  private final RequestStreamHandler steps;
  private final RequestStreamHandler sweep;
  private final DynamoDbClient table;
  private final AtomicBoolean sweeps;
  private final @Nullable Level usual;

  private Rig(AwsProxy wire, LocalService service, AtomicBoolean sweeps, @Nullable Level usual) {
    this.wire = wire;
    this.service = service;
    this.sweeps = sweeps;
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

  /// @param settings of the service that differ from the usual
  static Rig open(Path data, Map<String, Object> settings) {
    @Nullable Level usual = LOG.getLevel();
    LOG.setLevel(Level.OFF); // injected faults make noise
    AtomicBoolean sweeps = new AtomicBoolean();
    AwsProxy wire = AwsProxy.open((call, onward) -> still(call, onward, sweeps.get()));
    wire.properties().forEach(System::setProperty);
    try {
      LocalService service =
          LocalService.start(new Settings(0, 0, data, Optional.empty(), settings));
      return new Rig(wire, service, sweeps, usual);
    } catch (RuntimeException e) {
      wire.close();
      throw e;
    }
  }

  /// Nobody but the experiment moves a turn.
  static Rig still(Path data) {
    return open(data, Map.of("start.grace.seconds", 3600));
  }

  /// The same with the patience that the service has on AWS.
  static Rig impatient(Path data) {
    return open(data, Map.of("start.grace.seconds", 3600, "attempt.seconds", 2));
  }

  AwsProxy wire() {
    return wire;
  }

  LocalService service() {
    return service;
  }

  DynamoDbClient table() {
    return table;
  }

  /// A workspace that nobody has used, named in all calls about it.
  static String workspace() {
    return "c%06d".formatted(NEXT.incrementAndGet());
  }

  Client client(String workspace, int keys) {
    return Client.of(
        service.baseUrl(),
        Stream.generate(() -> service.createKey(workspace)).limit(keys).toList());
  }

  /// What the state machine's `Begin` gets for an answer.
  JsonNode begin(Turn turn, int dispatch) throws IOException {
    return step("begin", turn, dispatch);
  }

  void fail(Turn turn, int dispatch) throws IOException {
    step("fail", turn, dispatch);
  }

  void sweep() throws IOException {
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

  private JsonNode step(String step, Turn turn, int dispatch) throws IOException {
    Map<String, Object> event =
        Map.of(
            "step",
            step,
            "workspace",
            turn.workspace(),
            "session_id",
            turn.session(),
            "thread_id",
            turn.thread(),
            "dispatch",
            dispatch);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    steps.handleRequest(new ByteArrayInputStream(Client.JSON.writeValueAsBytes(event)), out, null);
    return Client.JSON.readTree(out.toByteArray());
  }

  /// Everything by which a turn is found.
  record Turn(String workspace, String session, String thread) {}

  private static ProxyConfiguration direct() {
    return ProxyConfiguration.builder()
        .useSystemPropertyValues(false)
        .useEnvironmentVariableValues(false)
        .build();
  }

  /// The rule of those who have none, and of experiments for the calls they let pass.
  Reply still(AwsCall call, AwsProxy.Onward onward) throws IOException, InterruptedException {
    return still(call, onward, sweeps.get());
  }

  /// From now on sweeps find what is due, also those of the schedule.
  void letSweep() {
    sweeps.set(true);
  }

  private static Reply still(AwsCall call, AwsProxy.Onward onward, boolean sweeps)
      throws IOException, InterruptedException {
    if (call.operation().equals("StartExecution")) {
      return Reply.json(200, STARTED);
    }
    return call.isSweep() && !sweeps ? Reply.json(200, QUIET) : onward.send();
  }
}
