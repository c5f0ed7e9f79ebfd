package agentsessions.local.aws;

import agentsessions.local.steps.ExecutionDescription;
import agentsessions.local.steps.StepError;
import agentsessions.local.steps.StepFunctions;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The Step Functions API, as far as the service calls it.
record ExecutionCalls(List<StepFunctions> machines) {
  private static final Pattern NAME = Pattern.compile("[0-9A-Za-z_-]{1,80}");
  private static final ObjectMapper JSON = new ObjectMapper();

  ObjectNode start(JsonNode request) {
    String machine = request.path("stateMachineArn").asText();
    StepFunctions steps =
        machines.stream()
            .filter(candidate -> candidate.arns().machine().equals(machine))
            .findFirst()
            .orElseThrow(
                () -> new AwsRefusal("StateMachineDoesNotExist", "State Machine Does Not Exist"));
    String name = request.path("name").asText(UUID.randomUUID().toString());
    if (!NAME.matcher(name).matches()) {
      throw new AwsRefusal("InvalidName", "Invalid Name: '" + name + "'");
    }
    ExecutionDescription started = started(steps, name, request.path("input").asText("{}"));
    return JSON.createObjectNode()
        .put("executionArn", steps.arns().execution(name))
        .put("startDate", seconds(started.started()));
  }

  private static ExecutionDescription started(StepFunctions steps, String name, String input) {
    try {
      return steps
          .start(name, input)
          .orElseThrow(() ->
              new AwsRefusal(
                  "ExecutionAlreadyExists",
                  "Execution Already Exists: '" + steps.arns().execution(name) + "'"));
    } catch (StepError e) {
      throw new AwsRefusal("InvalidExecutionInput", e.cause());
    }
  }

  ObjectNode stop(JsonNode request) {
    @Nullable String error = request.path("error").textValue();
    @Nullable String cause = request.path("cause").textValue();
    StepFunctions steps = machine(request);
    ExecutionDescription stopped =
        steps.stop(name(request, steps), error, cause).orElseThrow(ExecutionCalls::noExecution);
    return JSON.createObjectNode().put("stopDate", seconds(stopped.stopped()));
  }

  ObjectNode describe(JsonNode request) {
    StepFunctions steps = machine(request);
    ExecutionDescription execution =
        steps.describe(name(request, steps)).orElseThrow(ExecutionCalls::noExecution);
    ObjectNode node =
        JSON.createObjectNode()
            .put("executionArn", steps.arns().execution(execution.name()))
            .put("stateMachineArn", steps.arns().machine())
            .put("name", execution.name())
            .put("status", execution.status().name())
            .put("startDate", seconds(execution.started()))
            .put("input", execution.input());
    putIfThere(node, "output", execution.output());
    putIfThere(node, "error", execution.error());
    putIfThere(node, "cause", execution.cause());
    if (execution.stopped() != null) {
      node.put("stopDate", seconds(execution.stopped()));
    }
    return node;
  }

  ObjectNode heartbeat(JsonNode request) {
    return done(machines.stream().anyMatch(steps -> steps.heartbeat(token(request))));
  }

  ObjectNode succeed(JsonNode request) {
    String output = request.path("output").asText();
    return done(machines.stream().anyMatch(steps -> steps.succeed(token(request), output)));
  }

  ObjectNode fail(JsonNode request) {
    StepError error = new StepError(request.path("error").asText(), request.path("cause").asText());
    return done(machines.stream().anyMatch(steps -> steps.fail(token(request), error)));
  }

  private static ObjectNode done(boolean known) {
    if (!known) {
      throw new AwsRefusal(
          "TaskTimedOut", "Task Timed Out: 'Provided task does not exist anymore'");
    }
    return JSON.createObjectNode();
  }

  private static String token(JsonNode request) {
    return request.path("taskToken").asText();
  }

  private StepFunctions machine(JsonNode request) {
    String arn = request.path("executionArn").asText();
    return machines.stream()
        .filter(steps -> steps.arns().isOf(arn))
        .findFirst()
        .orElseThrow(ExecutionCalls::noExecution);
  }

  private static String name(JsonNode request, StepFunctions steps) {
    return steps.arns().name(request.path("executionArn").asText());
  }

  private static AwsRefusal noExecution() {
    return new AwsRefusal("ExecutionDoesNotExist", "Execution Does Not Exist");
  }

  private static double seconds(@Nullable Instant time) {
    return time == null ? 0 : time.toEpochMilli() / 1000.0;
  }

  private static void putIfThere(ObjectNode node, String name, @Nullable String value) {
    if (value != null) {
      node.put(name, value);
    }
  }
}
