package agentsessions.local.aws;

import static agentsessions.local.Eventually.eventually;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.local.machine.DataFolder;
import agentsessions.local.steps.Lambda;
import agentsessions.local.steps.RunnerPlaces;
import agentsessions.local.steps.StateMachine;
import agentsessions.local.steps.StateMachineArns;
import agentsessions.local.steps.StepError;
import agentsessions.local.steps.StepFunctions;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.lambda.LambdaClient;
import software.amazon.awssdk.services.lambda.model.InvocationType;
import software.amazon.awssdk.services.lambda.model.LambdaException;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;
import software.amazon.awssdk.services.secretsmanager.model.ResourceNotFoundException;
import software.amazon.awssdk.services.secretsmanager.model.SecretsManagerException;
import software.amazon.awssdk.services.sfn.SfnClient;
import software.amazon.awssdk.services.sfn.model.DescribeExecutionResponse;
import software.amazon.awssdk.services.sfn.model.ExecutionAlreadyExistsException;
import software.amazon.awssdk.services.sfn.model.ExecutionDoesNotExistException;
import software.amazon.awssdk.services.sfn.model.ExecutionStatus;
import software.amazon.awssdk.services.sfn.model.InvalidExecutionInputException;
import software.amazon.awssdk.services.sfn.model.SfnException;
import software.amazon.awssdk.services.sfn.model.TaskTimedOutException;
import software.amazon.awssdk.services.ssm.SsmClient;
import software.amazon.awssdk.services.ssm.model.GetParametersResponse;
import software.amazon.awssdk.services.ssm.model.Parameter;
import software.amazon.awssdk.services.ssm.model.ParameterAlreadyExistsException;
import software.amazon.awssdk.services.ssm.model.ParameterNotFoundException;
import software.amazon.awssdk.services.ssm.model.ParameterType;
import software.amazon.awssdk.services.ssm.model.SsmException;

/// Tests of the stand-ins' endpoint, with the AWS SDK as the client.
class AwsEndpointTest {
  private static final String WAIT =
      "{QueryLanguage: JSONata, StartAt: A, States: {A: {Type: Wait, Seconds: 600, End: true}}}";
  private static final String BY_TOKEN =
      """
      {QueryLanguage: JSONata, StartAt: A, States: {A: {Type: Task, End: true,
        Resource: 'arn:aws:states:::lambda:invoke.waitForTaskToken',
        Arguments: {FunctionName: F, Payload: '{% $states.context.Task.Token %}'}}}}
      """;

  private final Credentials links = new Credentials("LINKS1", "secret");
  private final StepFunctions steps =
      new StepFunctions(
          StateMachineArns.TURN, StateMachine.read(WAIT, Map.of()), Map.of(), Clock.systemUTC());
  private final BlockingQueue<String> tokens = new LinkedBlockingQueue<>();
  private final StepFunctions byToken =
      new StepFunctions(
          StateMachineArns.EXPORT,
          StateMachine.read(BY_TOKEN, Map.of("F", "F")),
          Map.of(
              "F",
              token -> {
                tokens.add(new String(token, UTF_8).replace("\"", ""));
                return token;
              }),
          Clock.systemUTC());
  private final DataFolder data;
  private final AwsEndpoint endpoint;
  private final SfnClient client;

  AwsEndpointTest(@TempDir Path temp) {
    data = DataFolder.take(temp);
    endpoint = new AwsEndpoint(links, new ParameterCalls(new SealedFile(data, "parameters")));
    client = client(SfnClient.builder(), endpoint.endpoint());
    Lambda runner =
        payload -> {
          String event = new String(payload, UTF_8);
          throw event.contains("broken")
              ? new IllegalStateException("no room")
              : new StepError("Runner.Ended", event);
        };
    endpoint.serve(
        List.of(steps, byToken),
        new WebhookCalls((_, _, _) -> {}),
        new RunnerCalls(runner, byToken, new RunnerPlaces(1, RunnerPlaces.TIMEOUT)),
        Optional.empty());
  }

  @AfterEach
  void close() {
    client.close();
    endpoint.close();
    steps.close();
    byToken.close();
    data.close();
  }

  @Test
  void anExecutionIsStartedOnceDescribedAndStopped() throws Exception {
    String arn = start("t-1", "{\"a\":1}");
    assertEquals(arn, start("t-1", "{\"a\":1}"));
    assertThrows(ExecutionAlreadyExistsException.class, () -> start("t-1", "{}"));
    assertEquals(ExecutionStatus.RUNNING, describe(arn).status());
    client.stopExecution(stop -> stop.executionArn(arn).error("Interrupted").cause("follow-up"));
    DescribeExecutionResponse stopped =
        eventually(() -> describe(arn), found -> found.status() == ExecutionStatus.ABORTED);
    assertEquals("Interrupted", stopped.error());
    assertEquals("{\"a\":1}", stopped.input());
    assertTrue(!stopped.stopDate().isBefore(stopped.startDate()));
    assertThrows(ExecutionAlreadyExistsException.class, () -> start("t-1", "{\"a\":1}"));
  }

  @Test
  void aTaskIsKeptAliveAndEndedByItsToken() throws Exception {
    String arn = startByToken("t-1");
    String token = tokens.take();
    client.sendTaskHeartbeat(beat -> beat.taskToken(token));
    assertEquals(ExecutionStatus.RUNNING, describe(arn).status());
    client.sendTaskSuccess(end -> end.taskToken(token).output("{\"b\":2}"));
    DescribeExecutionResponse ended =
        eventually(() -> describe(arn), found -> found.status() != ExecutionStatus.RUNNING);
    assertEquals("{\"b\":2}", ended.output());
    assertThrows(
        TaskTimedOutException.class, () -> client.sendTaskHeartbeat(beat -> beat.taskToken(token)));
  }

  @Test
  void aTaskFailsByItsToken() throws Exception {
    String arn = startByToken("t-1");
    String token = tokens.take();
    client.sendTaskFailure(end -> end.taskToken(token).error("Odd").cause("for a reason"));
    DescribeExecutionResponse ended =
        eventually(() -> describe(arn), found -> found.status() != ExecutionStatus.RUNNING);
    assertEquals("Odd for a reason", ended.error() + " " + ended.cause());
  }

  /// Only the stand-in does so; Lambda does not report the end of an asynchronous invocation.
  @Test
  void aRunnerThatEndsFailsTheTaskThatHadItStarted() throws Exception {
    String arn = startByToken("t-1");
    tokens.take();
    try (LambdaClient engine = client(LambdaClient.builder(), endpoint.endpoint())) {
      assertThrows(LambdaException.class, () -> launch(engine, "{\"ticket\":\"odd\"}"));
      launch(engine, "{\"ticket\":\"w.s.t.1-5-0-secret\"}");
    }
    DescribeExecutionResponse ended =
        eventually(() -> describe(arn), found -> found.status() != ExecutionStatus.RUNNING);
    assertEquals("Runner.Ended", ended.error());
  }

  /// A runner cannot start on a full disk, for example; the failure reaches the waiting task, so
  /// that the turn is retried or ended.
  @Test
  void aRunnerThatCannotBeStartedFailsItsTask() throws Exception {
    String arn = startByToken("t-1");
    tokens.take();
    try (LambdaClient engine = client(LambdaClient.builder(), endpoint.endpoint())) {
      launch(engine, "{\"ticket\":\"w.s.t.1-5-0-broken\"}");
    }
    DescribeExecutionResponse ended =
        eventually(() -> describe(arn), found -> found.status() != ExecutionStatus.RUNNING);
    assertEquals("Lambda.ServiceException", ended.error());
  }

  private static void launch(LambdaClient engine, String payload) {
    engine.invoke(call ->
        call.functionName("Runner")
            .invocationType(InvocationType.EVENT)
            .payload(SdkBytes.fromUtf8String(payload)));
  }

  private String startByToken(String name) {
    return client
        .startExecution(start ->
            start.stateMachineArn(StateMachineArns.EXPORT.machine()).name(name).input("{}"))
        .executionArn();
  }

  @Test
  void whatIsWrongIsRefusedAsAwsDoes() {
    assertThrows(
        ExecutionDoesNotExistException.class,
        () -> describe(StateMachineArns.TURN.execution("none")));
    assertThrows(InvalidExecutionInputException.class, () -> start("t-2", "{"));
  }

  @Test
  void theSecretIsThePairOfTheLinks() {
    try (SecretsManagerClient owner = secrets(endpoint.endpoint())) {
      assertEquals(
          "{\"access_key_id\":\"LINKS1\",\"secret_access_key\":\"secret\"}",
          owner.getSecretValue(get -> get.secretId(AwsEndpoint.SIGNING_SECRET)).secretString());
      assertThrows(
          ResourceNotFoundException.class,
          () -> owner.getSecretValue(get -> get.secretId("other")));
    }
  }

  @Test
  void aParameterIsMadeOnceReadAndRemoved() {
    try (SsmClient owner = client(SsmClient.builder(), endpoint.endpoint())) {
      make(owner, "/a/b", "one");
      assertThrows(ParameterAlreadyExistsException.class, () -> make(owner, "/a/b", "two"));
      GetParametersResponse found = read(owner, "/a/b", "/a/c");
      assertEquals(List.of("one"), found.parameters().stream().map(Parameter::value).toList());
      assertEquals(List.of("/a/c"), found.invalidParameters());
      owner.deleteParameter(delete -> delete.name("/a/b"));
      assertThrows(
          ParameterNotFoundException.class,
          () -> owner.deleteParameter(delete -> delete.name("/a/b")));
      assertEquals(List.of(), read(owner, "/a/b").parameters());
    }
  }

  @Test
  void aParameterIsAsSmallAsOnAws() {
    try (SsmClient owner = client(SsmClient.builder(), endpoint.endpoint())) {
      make(owner, "/a/b", "x".repeat(4096));
      assertThrows(SsmException.class, () -> make(owner, "/a/c", "x".repeat(4097)));
      assertThrows(SsmException.class, () -> make(owner, "no path", "x"));
    }
  }

  /// The holder of a link knows its access key id, and any local user knows the port.
  @Test
  void withoutTheAddressAnAccessKeyIdOpensNothing() {
    URI root = endpoint.endpoint().resolve("/");
    try (SecretsManagerClient stranger = secrets(root);
        SfnClient thief = client(SfnClient.builder(), root)) {
      assertEquals(
          403,
          assertThrows(
                  SecretsManagerException.class,
                  () -> stranger.getSecretValue(get -> get.secretId(AwsEndpoint.SIGNING_SECRET)))
              .statusCode());
      assertThrows(
          SfnException.class,
          () ->
              thief.startExecution(
                  start -> start.stateMachineArn(StateMachineArns.TURN.machine())));
    }
  }

  /// Otherwise any local user could fill the service's memory.
  @Test
  void aStrangersBodyIsNotRead() throws Exception {
    URI address = endpoint.endpoint();
    try (Socket socket = new Socket(address.getHost(), address.getPort())) {
      socket.setSoTimeout(60_000);
      socket
          .getOutputStream()
          .write("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 99\r\n\r\n{".getBytes(US_ASCII));
      byte[] status = socket.getInputStream().readNBytes("HTTP/1.1 403".length());
      assertEquals("HTTP/1.1 403", new String(status, US_ASCII));
    }
  }

  @Test
  void aBodyHasALimit() {
    assertThrows(SfnException.class, () -> start("t-3", "\"" + "x".repeat(1 << 20) + "\""));
  }

  private static SecretsManagerClient secrets(URI endpoint) {
    return client(SecretsManagerClient.builder(), endpoint);
  }

  private static void make(SsmClient owner, String name, String value) {
    owner.putParameter(
        put -> put.name(name).value(value).type(ParameterType.SECURE_STRING).overwrite(false));
  }

  private static GetParametersResponse read(SsmClient owner, String... names) {
    return owner.getParameters(get -> get.names(names).withDecryption(true));
  }

  private String start(String name, String input) {
    return client
        .startExecution(
            start -> start.stateMachineArn(StateMachineArns.TURN.machine()).name(name).input(input))
        .executionArn();
  }

  private DescribeExecutionResponse describe(String arn) {
    return client.describeExecution(describe -> describe.executionArn(arn));
  }

  private static <B extends AwsClientBuilder<B, C>, C> C client(B builder, URI endpoint) {
    return builder
        .region(Region.US_EAST_1)
        .endpointOverride(endpoint)
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create("LINKS1", "secret")))
        .build();
  }
}
