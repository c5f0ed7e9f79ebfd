package agentsessions.stack;

import static agentsessions.talk.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.talk.Answer;
import agentsessions.talk.Client;
import agentsessions.talk.Link;
import agentsessions.talk.Session;
import agentsessions.talk.Turn;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.lambda.LambdaClient;
import software.amazon.awssdk.services.lambda.model.InvokeResponse;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;
import software.amazon.awssdk.services.sfn.SfnClient;
import software.amazon.awssdk.services.sfn.model.ExecutionStatus;

/// The sweep, the rotation and the usage plan of the stack whose outputs are in the environment:
/// `STACK_TURN_MACHINE`, `STACK_ROTATION`, `STACK_SIGNING_SECRET`; and its keys, `CONTRACT_KEY`
/// and, of a key that nothing else uses, `STACK_UNUSED_KEY`.
final class StackCheck {
  private static final Duration LONGEST_TURN = Duration.ofMinutes(3);
  private static final Duration PACE = Duration.ofMillis(700); // a key has 100 requests a minute

  private final Client client =
      Client.at(setting("CONTRACT_URL"), setting("CONTRACT_KEY").split(",", 2)[0])
          .patient(LONGEST_TURN, PACE);

  /// The second turn's execution is stopped while it waits for the first one's runner, so that
  /// nothing is left that would run it.
  @Test
  void aTurnWhoseExecutionIsLostIsStartedAgainByTheSweep() throws Exception {
    Session session = client.create("sleep 300");
    session.first().running();
    Turn lost = session.send("echo swept");
    String turn = lost.id();
    try (SfnClient executions = SfnClient.create()) {
      executions.stopExecution(stop -> stop.executionArn(execution(turn, 1)));
      assertEquals("swept", lost.completed());
      assertEquals(ExecutionStatus.ABORTED, status(executions, turn, 1));
      await("its end", Duration.ofMinutes(3), Duration.ofSeconds(1))
          .until(() -> status(executions, turn, 2), ExecutionStatus.SUCCEEDED::equals);
    }
  }

  @Tag("stack")
  @Test
  void aRotationSignsWithANewKeyAndEndsNoLink() throws Exception {
    Session session = client.create("echo kept > file; echo done");
    assertEquals("done", session.first().completed());
    String link = session.artifacts().at("/0/url").asText();
    String before = signingKey();
    assertTrue(link.contains(before), link);
    assertEquals("{\"outcome\":\"not_due\"}", rotate("{}"));
    assertEquals("{\"outcome\":\"rotated\"}", rotate("{\"force\":true}"));
    assertNotEquals(before, signingKey());
    assertEquals("{\"outcome\":\"refused\"}", rotate("{\"force\":true}"));
    assertEquals("kept\n", Link.content(link));
  }

  @Tag("stack")
  @Test
  void aKeyIsToldToWaitOnceItsHundredRequestsAreUsedUp() {
    Client unused = Client.at(client.base(), setting("STACK_UNUSED_KEY"));
    List<Answer> answers = new ArrayList<>();
    while (answers.size() < 300 && (answers.isEmpty() || answers.getLast().status() != 429)) {
      answers.add(unused.get("/me"));
    }
    assertTrue(answers.size() > 100, "after " + answers.size());
    Answer refusal = answers.getLast();
    assertEquals("RATE_LIMITED", refusal.expect(429).text("/code"));
    assertEquals("1", refusal.header("Retry-After"));
  }

  private static String rotate(String event) {
    try (LambdaClient functions = LambdaClient.create()) {
      InvokeResponse answer =
          functions.invoke(invoke ->
              invoke
                  .functionName(setting("STACK_ROTATION"))
                  .payload(SdkBytes.fromUtf8String(event)));
      assertNull(answer.functionError(), answer.payload()::asUtf8String);
      return answer.payload().asUtf8String();
    }
  }

  private static String signingKey() throws IOException {
    try (SecretsManagerClient secrets = SecretsManagerClient.create()) {
      String secret =
          secrets
              .getSecretValue(get -> get.secretId(setting("STACK_SIGNING_SECRET")))
              .secretString();
      return Client.JSON.readTree(secret).path("access_key_id").asText();
    }
  }

  private static ExecutionStatus status(SfnClient executions, String turn, int dispatch) {
    return executions
        .describeExecution(describe -> describe.executionArn(execution(turn, dispatch)))
        .status();
  }

  private static String execution(String turn, int dispatch) {
    return setting("STACK_TURN_MACHINE").replace(":stateMachine:", ":execution:")
        + ":"
        + turn
        + "-"
        + dispatch;
  }

  private static String setting(String name) {
    return Objects.requireNonNull(System.getenv(name), name);
  }
}
