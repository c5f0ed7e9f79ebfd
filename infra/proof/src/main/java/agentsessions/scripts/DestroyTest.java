package agentsessions.scripts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import agentsessions.testing.Loopback;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The order in which a deployment is deleted: if a step fails, the deployment stays usable. AWS is
/// a stub with a few answers; as on AWS, a stack whose cluster has a task cannot be deleted.
final class DestroyTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String ECS = "AmazonEC2ContainerServiceV20141113.";

  private final List<String> asked = new CopyOnWriteArrayList<>();

  /// The tasks, and whether each has been stopped.
  private final Map<String, Boolean> tasks = new TreeMap<>();

  @AutoClose private Loopback aws;
  private String live = "";
  private String status = "CREATE_COMPLETE";
  private boolean startsAnother;

  @BeforeEach
  void open() throws IOException {
    assumeTrue(PythonScript.isInstalled(), "needs the SAM CLI of scripts/lint");
    aws = new Loopback(this::answer);
  }

  @Test
  void tasksStopBeforeKeysGoAndKeysBeforeTheStack() throws Exception {
    tasks.put("waits", false);
    tasks.put("is told to stop already", true);
    ScriptMachine.Ending ending = destroy();
    assertEquals(0, ending.status(), ending.output());
    assertTrue(ending.output().contains("kept: table the-table, bucket the-bucket"));
    assertEquals(
        List.of(
            "StopTask waits", "DeleteAccessKey", "DELETE /apikeys/one", "DeleteStack", "is gone"),
        asked);
  }

  @Test
  void liveTurnsKeepADeploymentAndItsKeys() throws Exception {
    tasks.put("works", false);
    live = "T#018f";
    ScriptMachine.Ending ending = destroy();
    assertNotEquals(0, ending.status());
    assertTrue(ending.output().contains("1 turns are queued or run"), ending.output());
    assertEquals(List.of(), asked);
    assertEquals(0, destroy("--force").status());
    assertTrue(asked.contains("is gone"));
  }

  @Test
  void aTaskThatIsBegunMeanwhileIsStoppedToo() throws Exception {
    tasks.put("waits", false);
    startsAnother = true;
    ScriptMachine.Ending ending = destroy();
    assertEquals(0, ending.status(), ending.output());
    assertEquals(
        List.of("DeleteStack", "StopTask another", "DeleteStack", "is gone"),
        asked.subList(asked.size() - 4, asked.size()));
  }

  /// Its first deployment failed: it has no outputs, and of its resources only the data is left.
  @Test
  void whatNeverRanIsDeleted() throws Exception {
    status = "ROLLBACK_COMPLETE";
    ScriptMachine.Ending ending = destroy();
    assertEquals(0, ending.status(), ending.output());
    assertTrue(ending.output().contains("kept: table the-table, bucket the-bucket"));
    assertEquals(List.of("DeleteStack", "is gone"), asked);
  }

  private ScriptMachine.Ending destroy(String... options) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("stack"));
    arguments.addAll(List.of(options));
    return new PythonScript(aws).run("destroy.py", arguments);
  }

  private void answer(HttpExchange exchange) throws IOException {
    byte[] request = exchange.getRequestBody().readAllBytes();
    String body = new String(request, StandardCharsets.UTF_8);
    String target = exchange.getRequestHeaders().getFirst("X-Amz-Target");
    String path = exchange.getRequestURI().getPath();
    String reply =
        target != null
            ? told(target, JSON.readTree(request))
            : path.equals("/")
                ? queried(body.replaceAll("(?s).*Action=(\\w+).*", "$1"))
                : rested(exchange.getRequestMethod() + " " + path);
    byte[] bytes = reply.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(reply.contains("<Error>") ? 400 : 200, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private String told(String target, JsonNode request) {
    return switch (target) {
      case "DynamoDB_20120810.Query" ->
          request.toString().contains("LIVE#3") && !live.isEmpty()
              ? "{\"Items\":[{\"SK\":{\"S\":\"%s\"}},{\"SK\":{\"S\":\"BOX\"}}]}".formatted(live)
              : "{\"Items\":[]}";
      case ECS + "ListTasks" -> {
        boolean stopped = request.path("desiredStatus").asText().equals("STOPPED");
        yield JSON.createObjectNode()
            .set(
                "taskArns",
                JSON.valueToTree(
                    tasks.keySet().stream()
                        .filter(task -> Boolean.TRUE.equals(tasks.get(task)) == stopped)
                        .toList()))
            .toString();
      }
      case ECS + "StopTask" -> {
        String task = request.path("task").asText();
        asked.add("StopTask " + task);
        tasks.put(task, true);
        yield "{}";
      }
      // A stopped task has ended by the time it is described.
      case ECS + "DescribeTasks" -> {
        tasks.values().removeIf(Boolean.TRUE::equals);
        yield "{\"tasks\":[{\"lastStatus\":\"STOPPED\"}]}";
      }
      default -> throw new AssertionError(target);
    };
  }

  private String rested(String call) {
    if (call.equals("GET /usageplans/the-plan/keys")) {
      return "{\"item\":[{\"id\":\"one\"}]}";
    }
    asked.add(call);
    return "";
  }

  private String queried(String action) {
    return switch (action) {
      case "ListAccessKeys" ->
          "<ListAccessKeysResponse><ListAccessKeysResult><AccessKeyMetadata><member><AccessKeyId>"
              + "AKIDAKIDAKIDAKID</AccessKeyId></member></AccessKeyMetadata></ListAccessKeysResult>"
              + "</ListAccessKeysResponse>";
      case "DeleteAccessKey" -> {
        asked.add(action);
        yield "<DeleteAccessKeyResponse/>";
      }
      case "DeleteStack" -> {
        asked.add(action);
        if (startsAnother) {
          tasks.put("another", false);
          startsAnother = false;
        }
        status = tasks.isEmpty() ? "" : "DELETE_FAILED";
        yield "<DeleteStackResponse/>";
      }
      case "ListStackResources" ->
          "<ListStackResourcesResponse><ListStackResourcesResult><StackResourceSummaries>"
              + resource("Table", "the-table", "DELETE_SKIPPED")
              + resource("Bucket", "the-bucket", "DELETE_SKIPPED")
              + resource("Cluster", "the-cluster", "DELETE_COMPLETE")
              + "</StackResourceSummaries></ListStackResourcesResult></ListStackResourcesResponse>";
      case "DescribeStacks" -> status.isEmpty() ? gone() : described();
      default -> throw new AssertionError(action);
    };
  }

  private static String resource(String name, String made, String status) {
    return ("<member><LogicalResourceId>%s</LogicalResourceId><PhysicalResourceId>%s"
            + "</PhysicalResourceId><ResourceStatus>%s</ResourceStatus></member>")
        .formatted(name, made, status);
  }

  private String gone() {
    asked.add("is gone");
    return "<ErrorResponse><Error><Code>ValidationError</Code><Message>does not exist</Message>"
        + "</Error></ErrorResponse>";
  }

  private String described() {
    StringBuilder outputs = new StringBuilder();
    Map<String, String> all =
        Map.of(
            "Cluster",
            "the-cluster",
            "Table",
            "the-table",
            "Bucket",
            "the-bucket",
            "Signer",
            "the-signer",
            "UsagePlan",
            "the-plan");
    if (!status.equals("ROLLBACK_COMPLETE")) {
      all.forEach((name, value) ->
          outputs.append(
              "<member><OutputKey>%s</OutputKey><OutputValue>%s</OutputValue></member>"
                  .formatted(name, value)));
    }
    return ("<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>stack"
            + "</StackName><StackStatus>%s</StackStatus><Outputs>%s</Outputs></member></Stacks>"
            + "</DescribeStacksResult></DescribeStacksResponse>")
        .formatted(status, outputs);
  }
}
