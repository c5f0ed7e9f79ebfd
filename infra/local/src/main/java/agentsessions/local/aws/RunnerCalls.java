package agentsessions.local.aws;

import agentsessions.local.steps.Lambda;
import agentsessions.local.steps.StepError;
import agentsessions.local.steps.StepFunctions;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The asynchronous call of the runner, in Lambda's words: accepted at once, done beside. Lambda
/// tells nobody what became of it; the engine of this machine sees its processes end, or not begin,
/// so it ends or fails the task that had the runner started, where the runner did not.
record RunnerCalls(Lambda runner, StepFunctions turns) {
  private static final String PATH = "/2015-03-31/functions/Runner/invocations";
  private static final Logger log = LoggerFactory.getLogger(RunnerCalls.class);

  /// Whether it is such a call.
  static boolean isOne(String call) {
    return call.equals("POST " + PATH);
  }

  ObjectNode invoke(JsonNode payload) {
    String execution =
        Ticket.execution(payload.path("ticket").asText())
            .orElseThrow(() ->
                new AwsRefusal(
                    "InvalidRequestContentException", "the runner runs by a ticket only"));
    byte[] event = payload.toString().getBytes(StandardCharsets.UTF_8);
    Thread.ofVirtual().name("runner").start(() -> run(event, execution));
    return JsonNodeFactory.instance.objectNode();
  }

  private void run(byte[] event, String execution) {
    try {
      byte[] _ = runner.invoke(event);
      turns.endTask(execution);
    } catch (StepError failure) {
      turns.failTask(execution, failure);
    } catch (RuntimeException failure) {
      log.error("A runner was not started", failure);
      turns.failTask(
          execution, new StepError("Lambda.ServiceException", "the runner is not started"));
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }
}
