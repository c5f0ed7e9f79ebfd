package agentsessions.local.aws;

import agentsessions.local.steps.Lambda;
import agentsessions.local.steps.RunnerPlaces;
import agentsessions.local.steps.StepError;
import agentsessions.local.steps.StepFunctions;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Asynchronous invocations of the runner, accepted at once. Lambda does not report their outcome.
/// This machine sees the runner's process end, or fail to start, so it completes or fails the
/// turn's waiting task if the runner has not done so.
record RunnerCalls(Lambda runner, StepFunctions turns, RunnerPlaces places) {
  private static final String PATH = "/2015-03-31/functions/Runner/invocations";
  private static final Logger log = LoggerFactory.getLogger(RunnerCalls.class);

  /// Whether a request invokes the runner.
  static boolean isOne(String call) {
    return call.equals("POST " + PATH);
  }

  ObjectNode invoke(JsonNode payload) {
    String execution =
        RunnerTicket.execution(payload.path("ticket").asText())
            .orElseThrow(() ->
                new AwsRefusal(
                    "InvalidRequestContentException", "the runner runs by a ticket only"));
    byte[] event = payload.toString().getBytes(StandardCharsets.UTF_8);
    places.launch(execution);
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
    } finally {
      places.end();
    }
  }
}
