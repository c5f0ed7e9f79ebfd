package agentsessions.stack;

import static agentsessions.talk.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.talk.Client;
import agentsessions.talk.SessionHandle;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.lambda.LambdaClient;
import software.amazon.awssdk.services.lambda.model.FunctionConfiguration;
import software.amazon.awssdk.services.lambda.model.InvokeResponse;

/// The functions of a deployed stack that nobody has called for 14 days, as our plugin of
/// LocalStack makes them: a call fails until its function is active again.
@Isolated("other tests call these functions")
final class InactiveFunctionsCheck {
  private static final List<String> WITH_SNAPSHOTS =
      List.of(
          "Authorizer",
          "Sessions",
          "Messages",
          "Artifacts",
          "Exports",
          "Export",
          "Events",
          "Settings",
          "Webhooks",
          "TurnSteps",
          "RunnerApi");

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(700);

  @AutoClose private final LambdaClient functions = LambdaClient.create();
  @AutoClose private final HttpClient http = HttpClient.newHttpClient();
  private final Client client =
      Client.at(setting("CONTRACT_URL"), setting("CONTRACT_KEY").split(",", 2)[0])
          .patient(PATIENCE, POLL_INTERVAL);

  @Tag("stack")
  @Test
  void turnsAndExportsWaitForTheirFunctions() throws Exception {
    state("PUT", "TurnSteps");
    SessionHandle session = client.create("echo woken");
    assertEquals("woken", session.first().completed());
    assertEquals("Active", state("GET", "TurnSteps"));
    state("PUT", "Export");
    String exports = session.path() + "/exports";
    String export = client.send("POST", exports, null).expect(202).text("/id");
    await("its export", PATIENCE, POLL_INTERVAL)
        .until(
            () -> client.get(exports + "/" + export).expect(200).text("/status"), "ready"::equals);
  }

  @Tag("stack")
  @Test
  void theHourlySweepCallsEveryFunction() throws Exception {
    for (String function : WITH_SNAPSHOTS) {
      state("PUT", function);
    }
    assertEquals("{\"called\":%d}".formatted(WITH_SNAPSHOTS.size()), sweep("functions"));
    for (String function : WITH_SNAPSHOTS) {
      await(function, PATIENCE, POLL_INTERVAL)
          .until(() -> state("GET", function), "Active"::equals);
    }
    client.get("/me").expect(200);
  }

  @Tag("stack")
  @Test
  void theHourlySweepLooksAtTheKeysOfThePlan() {
    String seen = sweep("keys");
    assertTrue(seen.contains("\"keys\":") && seen.contains("\"removed\":"), seen);
  }

  /// What the sweep says to one of its hourly tasks.
  private String sweep(String task) {
    InvokeResponse answer =
        functions.invoke(invoke ->
            invoke
                .functionName(physical("Sweep"))
                .qualifier("live")
                .payload(SdkBytes.fromUtf8String("{\"task\": \"%s\"}".formatted(task))));
    assertNull(answer.functionError(), answer.payload()::asUtf8String);
    return answer.payload().asUtf8String();
  }

  /// Makes a function inactive by PUT, or asks by GET: `Inactive`, `Pending` or `Active`.
  private String state(String method, String function) {
    URI place =
        URI.create(setting("AWS_ENDPOINT_URL") + "/_aws/lambda/inactive/" + physical(function));
    HttpRequest request =
        HttpRequest.newBuilder(place)
            .method(method, HttpRequest.BodyPublishers.noBody())
            .timeout(PATIENCE)
            .build();
    try {
      return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
    } catch (IOException | InterruptedException fault) {
      throw new AssertionError(fault);
    }
  }

  /// The name that CloudFormation has given a function.
  private String physical(String function) {
    String stack = setting("STACK_TURN_MACHINE").replaceAll(".*:|-.*", "");
    return functions.listFunctionsPaginator().functions().stream()
        .map(FunctionConfiguration::functionName)
        .filter(name -> name.startsWith("%s-%s-".formatted(stack, function)))
        .findAny()
        .orElseThrow();
  }

  private static String setting(String name) {
    return Objects.requireNonNull(System.getenv(name), name);
  }
}
