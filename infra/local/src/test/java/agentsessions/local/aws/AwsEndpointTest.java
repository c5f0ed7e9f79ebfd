package agentsessions.local.aws;

import static agentsessions.local.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.local.steps.Arns;
import agentsessions.local.steps.StateMachine;
import agentsessions.local.steps.StepFunctions;
import java.time.Clock;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;
import software.amazon.awssdk.services.secretsmanager.model.ResourceNotFoundException;
import software.amazon.awssdk.services.sfn.SfnClient;
import software.amazon.awssdk.services.sfn.model.DescribeExecutionResponse;
import software.amazon.awssdk.services.sfn.model.ExecutionAlreadyExistsException;
import software.amazon.awssdk.services.sfn.model.ExecutionDoesNotExistException;
import software.amazon.awssdk.services.sfn.model.ExecutionStatus;
import software.amazon.awssdk.services.sfn.model.InvalidExecutionInputException;
import software.amazon.awssdk.services.sfn.model.SfnException;

/// The wire, as the SDK speaks it.
class AwsEndpointTest {
  private static final String WAIT =
      "{QueryLanguage: JSONata, StartAt: A, States: {A: {Type: Wait, Seconds: 600, End: true}}}";

  private final Credentials credentials = new Credentials("LOCAL1", "secret");
  private final StepFunctions steps =
      new StepFunctions(StateMachine.read(WAIT, Map.of()), Map.of(), Clock.systemUTC());
  private final AwsEndpoint endpoint = new AwsEndpoint(credentials);
  private final SfnClient client = client(SfnClient.builder(), "LOCAL1");

  AwsEndpointTest() {
    endpoint.serve(steps);
  }

  @AfterEach
  void close() {
    client.close();
    endpoint.close();
    steps.close();
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
  void whatIsWrongIsRefusedAsAwsDoes() {
    assertThrows(ExecutionDoesNotExistException.class, () -> describe(Arns.execution("none")));
    assertThrows(InvalidExecutionInputException.class, () -> start("t-2", "{"));
  }

  @Test
  void theSecretIsForItsOwnerOnly() {
    try (SecretsManagerClient owner = client(SecretsManagerClient.builder(), "LOCAL1");
        SfnClient stranger = client(SfnClient.builder(), "OTHER")) {
      assertEquals(
          "{\"access_key_id\":\"LOCAL1\",\"secret_access_key\":\"secret\"}",
          owner.getSecretValue(get -> get.secretId(AwsEndpoint.SIGNING_SECRET)).secretString());
      assertThrows(
          ResourceNotFoundException.class,
          () -> owner.getSecretValue(get -> get.secretId("other")));
      assertThrows(
          SfnException.class,
          () -> stranger.describeExecution(describe -> describe.executionArn(Arns.execution("x"))));
    }
  }

  private String start(String name, String input) {
    return client
        .startExecution(start -> start.stateMachineArn(Arns.MACHINE).name(name).input(input))
        .executionArn();
  }

  private DescribeExecutionResponse describe(String arn) {
    return client.describeExecution(describe -> describe.executionArn(arn));
  }

  private <B extends AwsClientBuilder<B, C>, C> C client(B builder, String accessKeyId) {
    return builder
        .region(Region.US_EAST_1)
        .endpointOverride(endpoint.endpoint())
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create(accessKeyId, "secret")))
        .build();
  }
}
