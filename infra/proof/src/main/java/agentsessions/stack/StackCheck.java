package agentsessions.stack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
  private final Client client =
      new Client(setting("CONTRACT_URL"), setting("CONTRACT_KEY").split(",", 2)[0]);

  /// The second turn's execution is stopped while it waits for the first one's runner, so that
  /// nothing is left that would run it.
  @Test
  void aTurnWhoseExecutionIsLostIsStartedAgainByTheSweep() throws Exception {
    JsonNode session = client.create("sleep 300");
    client.awaitRunning(session);
    JsonNode lost =
        client.post(
            "/sessions/" + session.path("id").asText() + "/messages",
            Map.of("message", "echo swept"));
    String turn = lost.path("thread_id").asText();
    try (SfnClient executions = SfnClient.create()) {
      executions.stopExecution(stop -> stop.executionArn(execution(turn, 1)));
      assertEquals("swept", client.reply(lost));
      assertEquals(ExecutionStatus.ABORTED, status(executions, turn, 1));
      Client.await("its end", () -> status(executions, turn, 2), ExecutionStatus.SUCCEEDED::equals);
    }
  }

  @Test
  void aRotationSignsWithANewKeyAndEndsNoLink() throws Exception {
    JsonNode session = client.create("echo kept > file; echo done");
    client.reply(session);
    URI link = link(session);
    String before = signingKey();
    assertTrue(link.toString().contains(before), link::toString);
    assertEquals("{\"outcome\":\"not_due\"}", rotate("{}"));
    assertEquals("{\"outcome\":\"rotated\"}", rotate("{\"force\":true}"));
    assertNotEquals(before, signingKey());
    assertEquals("{\"outcome\":\"refused\"}", rotate("{\"force\":true}"));
    assertEquals("kept\n", Client.send(HttpRequest.newBuilder(link).build()).body());
  }

  @Test
  void aKeyIsToldToWaitOnceItsHundredRequestsAreUsedUp() throws Exception {
    Client unused = new Client(client.base(), setting("STACK_UNUSED_KEY"));
    List<HttpResponse<String>> answers = new ArrayList<>();
    while (answers.size() < 300 && (answers.isEmpty() || answers.getLast().statusCode() != 429)) {
      answers.add(Client.send(unused.request("/me").build()));
    }
    assertTrue(answers.size() > 100, "after " + answers.size());
    HttpResponse<String> refusal = answers.getLast();
    assertEquals(429, refusal.statusCode());
    assertEquals("RATE_LIMITED", Client.JSON.readTree(refusal.body()).path("code").asText());
    assertEquals("1", refusal.headers().firstValue("Retry-After").orElseThrow());
  }

  private URI link(JsonNode session) throws IOException, InterruptedException {
    String artifacts = "/sessions/" + session.path("id").asText() + "/artifacts";
    String id = client.get(artifacts).at("/items/0/id").asText();
    return URI.create(client.get(artifacts + "/" + id).path("url").asText());
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
