package agentsessions.stack;

import static agentsessions.talk.Await.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import agentsessions.talk.ApiResponse;
import agentsessions.talk.Client;
import agentsessions.talk.PresignedLink;
import agentsessions.talk.SessionHandle;
import agentsessions.talk.TurnHandle;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.services.lambda.LambdaClient;
import software.amazon.awssdk.services.lambda.model.FunctionConfiguration;
import software.amazon.awssdk.services.lambda.model.InvokeResponse;
import software.amazon.awssdk.services.lambda.model.LogType;
import software.amazon.awssdk.services.lambda.model.PolicyLengthExceededException;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;
import software.amazon.awssdk.services.sfn.SfnClient;
import software.amazon.awssdk.services.sfn.model.ExecutionStatus;

/// The sweep, the key rotation and the usage plan of a deployed stack, whose outputs are in the
/// environment: `STACK_TURN_MACHINE`, `STACK_ROTATION`, `STACK_SIGNING_SECRET`; and its keys,
/// `CONTRACT_KEY` and, of a key that nothing else uses, `STACK_UNUSED_KEY`.
final class StackCheck {
  private static final Base64.Decoder BASE64 = Base64.getDecoder();
  private static final Pattern REPORT =
      Pattern.compile("Memory Size: (\\d+) MB\tMax Memory Used: (\\d+) MB");

  /// A harmless event for any function: those outside the API refuse it, or find nothing to do.
  private static final String HEALTH =
      """
      {"httpMethod": "GET", "path": "/rest/v1/health", "resource": "/rest/v1/health", "headers": {},
       "multiValueHeaders": {}, "requestContext": {"requestId": "of-a-test", "httpMethod": "GET"}}
      """;

  private static final Duration LONGEST_TURN = Duration.ofMinutes(4);
  private static final Duration POLL_INTERVAL =
      Duration.ofMillis(700); // a key has 100 requests a minute

  private final Client client =
      Client.at(setting("CONTRACT_URL"), setting("CONTRACT_KEY").split(",", 2)[0])
          .patient(LONGEST_TURN, POLL_INTERVAL);

  /// The second turn's execution is stopped while it waits for the first one's runner, so that only
  /// the sweep is left to run it.
  @Test
  void aTurnWhoseExecutionIsLostIsStartedAgainByTheSweep() throws Exception {
    SessionHandle session = client.create("sleep 300");
    String first = session.first().running().id();
    try (SfnClient executions = SfnClient.create()) {
      // The client's own first call takes too long for what follows.
      ExecutionStatus _ = status(executions, first, 1);
      TurnHandle lost = session.send("echo swept");
      String turn = lost.id();
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
    SessionHandle session = client.create("echo kept > file; echo done");
    assertEquals("done", session.first().completed());
    String link = session.artifacts().at("/0/url").asText();
    String before = signingKey();
    assertTrue(link.contains(before), link);
    assertEquals("{\"outcome\":\"not_due\"}", rotate("{}"));
    assertEquals("{\"outcome\":\"rotated\"}", rotate("{\"force\":true}"));
    assertNotEquals(before, signingKey());
    assertEquals("{\"outcome\":\"refused\"}", rotate("{\"force\":true}"));
    assertEquals("kept\n", PresignedLink.content(link));
  }

  /// The origin came with an update that changed nothing else: a preflight and a refusal are the
  /// gateway's own answers, which its stage has of its last deployment.
  @Tag("stack")
  @Test
  void theGatewayAnswersAsTheLastUpdateSays() {
    String origin = setting("STACK_ORIGIN");
    assumeFalse(origin.isEmpty(), "needs a stack that was updated with an origin");
    Client nobody = client.with(null);
    for (ApiResponse answer : List.of(nobody.sendUnchecked("OPTIONS", "/me"), nobody.get("/me"))) {
      assertEquals(origin, answer.header("Access-Control-Allow-Origin"), answer::toString);
    }
  }

  @Tag("stack")
  @Test
  void aKeyIsToldToWaitOnceItsHundredRequestsAreUsedUp() {
    Client unused = Client.at(client.base(), setting("STACK_UNUSED_KEY"));
    Queue<ApiResponse> answers = new ConcurrentLinkedQueue<>();
    ApiResponse refusal = refusal(answers, 8, () -> unused.get("/me"));
    long taken = answers.stream().filter(answer -> answer.status() != 429).count();
    assertTrue(taken >= 100, "after " + taken);
    assertEquals("RATE_LIMITED", refusal.expect(429).text("/code"));
    assertEquals("1", refusal.header("Retry-After"));
  }

  /// The burst limit of the stage for `/`, which needs no key, is 40: further requests are refused
  /// before a function is called.
  @Tag("stack")
  @Test
  void aCrowdWithoutAKeyIsToldToWait() {
    Client nobody = Client.at(client.base().replace("/rest/v1", ""), null);
    Queue<ApiResponse> answers = new ConcurrentLinkedQueue<>();
    ApiResponse refusal = refusal(answers, 8, () -> nobody.get("/"));
    assertEquals("RATE_LIMITED", refusal.text("/code"));
    assertTrue(answers.stream().anyMatch(answer -> answer.status() == 200));
  }

  /// The first refusal among the answers to many clients, each of which repeats its request as soon
  /// as it is answered. One by one, or all waiting for the slowest, a slow stack would answer no
  /// faster than the allowance grows.
  private static ApiResponse refusal(
      Collection<ApiResponse> answers, int clients, Supplier<ApiResponse> request) {
    Instant end = Instant.now().plus(LONGEST_TURN);
    AtomicReference<Optional<ApiResponse>> refusal = new AtomicReference<>(Optional.empty());
    Runnable ask =
        () -> {
          while (refusal.get().isEmpty() && Instant.now().isBefore(end)) {
            ApiResponse answer = request.get();
            answers.add(answer);
            if (answer.status() == 429) {
              refusal.set(Optional.of(answer));
            }
          }
        };
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Stream.generate(() -> CompletableFuture.runAsync(ask, threads))
          .limit(clients)
          .toList()
          .forEach(CompletableFuture::join);
    }
    return refusal
        .get()
        .orElseThrow(() ->
            new AssertionError(
                "not one of "
                    + answers.stream().collect(groupingBy(ApiResponse::status, counting()))));
  }

  /// Lambda kills a function that uses more than its memory size. After an answer each must have a
  /// third of it free, since the largest answers need more.
  @Tag("stack")
  @Test
  void everyFunctionHasRoomForWhatItHolds() {
    try (LambdaClient functions = LambdaClient.create()) {
      List<String> asked = names(functions).filter(name -> !name.contains("Runner-")).toList();
      assertTrue(asked.size() >= 13, asked::toString);
      for (String function : asked) {
        InvokeResponse answer =
            functions.invoke(invoke ->
                invoke
                    .functionName(function)
                    .qualifier("live")
                    .logType(LogType.TAIL)
                    .payload(SdkBytes.fromUtf8String(HEALTH)));
        Matcher report = REPORT.matcher(new String(BASE64.decode(answer.logResult()), UTF_8));
        assertTrue(report.find(), function);
        int used = Integer.parseInt(report.group(2));
        assertTrue(used > 0 && used * 3 <= Integer.parseInt(report.group(1)) * 2, report.group());
      }
    }
  }

  /// A wrong `RunnerBaseUrl`, at which no server listens: the runner logs it, after retries of half
  /// a minute.
  @Tag("stack")
  @Test
  void aRunnerThatDoesNotReachItsServiceLogsTheAddress() {
    String turn =
        """
        {"ticket": "of-a-test", "url": "http://127.0.0.1:9/runner/v1", "attempt": 0,
         "session_id": "of-a-test"}
        """;
    try (LambdaClient functions =
        LambdaClient.builder()
            .httpClientBuilder(Apache5HttpClient.builder().socketTimeout(LONGEST_TURN))
            .build()) {
      InvokeResponse answer =
          functions.invoke(invoke ->
              invoke
                  .functionName(
                      names(functions)
                          .filter(name -> name.contains("-Runner-"))
                          .findAny()
                          .orElseThrow())
                  .logType(LogType.TAIL)
                  .payload(SdkBytes.fromUtf8String(turn)));
      String log = new String(BASE64.decode(answer.logResult()), UTF_8);
      assertEquals("Unhandled", answer.functionError(), log);
      assertTrue(log.contains("service not reached at http://127.0.0.1:9/runner/v1: "), log);
    }
  }

  /// The limit of a function's resource policy is 20,480 bytes and cannot be raised. A permission
  /// for each route would exceed it.
  @Tag("stack")
  @Test
  void aFunctionTakesNoMorePermissionsThanItsPolicyHolds() {
    String rotation = setting("STACK_ROTATION");
    List<String> given = new ArrayList<>();
    try (LambdaClient functions = LambdaClient.create()) {
      PolicyLengthExceededException refusal =
          assertThrows(
              PolicyLengthExceededException.class,
              () -> {
                while (given.size() < 200) {
                  String name = "of-a-test-" + "x".repeat(60) + given.size();
                  functions.addPermission(add ->
                      add.functionName(rotation)
                          .statementId(name)
                          .action("lambda:InvokeFunction")
                          .principal("apigateway.amazonaws.com"));
                  given.add(name);
                }
              });
      assertTrue(String.valueOf(refusal.getMessage()).contains("20480"), refusal::toString);
      assertTrue(given.size() > 20, given::toString);
      for (String name : given) {
        functions.removePermission(remove -> remove.functionName(rotation).statementId(name));
      }
    }
  }

  private static Stream<String> names(LambdaClient functions) {
    String stack = setting("STACK_TURN_MACHINE").replaceAll(".*:|-.*", "");
    return functions.listFunctionsPaginator().functions().stream()
        .map(FunctionConfiguration::functionName)
        .filter(name -> name.startsWith(stack + "-"));
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
