package agentsessions.local.aws;

import agentsessions.local.steps.Arns;
import agentsessions.local.steps.Description;
import agentsessions.local.steps.StepError;
import agentsessions.local.steps.StepFunctions;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The calls to Step Functions that the service makes, in AWS's words.
record ExecutionCalls(StepFunctions steps) {
  private static final Pattern NAME = Pattern.compile("[0-9A-Za-z_-]{1,80}");
  private static final ObjectMapper JSON = new ObjectMapper();

  ObjectNode start(JsonNode request) {
    if (!request.path("stateMachineArn").asText().equals(Arns.MACHINE)) {
      throw new AwsRefusal("StateMachineDoesNotExist", "State Machine Does Not Exist");
    }
    String name = request.path("name").asText(UUID.randomUUID().toString());
    if (!NAME.matcher(name).matches()) {
      throw new AwsRefusal("InvalidName", "Invalid Name: '" + name + "'");
    }
    Description started = started(name, request.path("input").asText("{}"));
    return JSON.createObjectNode()
        .put("executionArn", Arns.execution(name))
        .put("startDate", seconds(started.started()));
  }

  private Description started(String name, String input) {
    try {
      return steps
          .start(name, input)
          .orElseThrow(() ->
              new AwsRefusal(
                  "ExecutionAlreadyExists",
                  "Execution Already Exists: '" + Arns.execution(name) + "'"));
    } catch (StepError e) {
      throw new AwsRefusal("InvalidExecutionInput", e.cause());
    }
  }

  ObjectNode stop(JsonNode request) {
    @Nullable String error = request.path("error").textValue();
    @Nullable String cause = request.path("cause").textValue();
    Description stopped =
        steps.stop(name(request), error, cause).orElseThrow(ExecutionCalls::noExecution);
    return JSON.createObjectNode().put("stopDate", seconds(stopped.stopped()));
  }

  ObjectNode describe(JsonNode request) {
    Description execution = steps.describe(name(request)).orElseThrow(ExecutionCalls::noExecution);
    ObjectNode node =
        JSON.createObjectNode()
            .put("executionArn", Arns.execution(execution.name()))
            .put("stateMachineArn", Arns.MACHINE)
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

  private static String name(JsonNode request) {
    return Arns.name(request.path("executionArn").asText());
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
