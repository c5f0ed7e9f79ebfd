package agentsessions.local.steps;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;

/// The steps of turns, of which a run step waits for the place of a runner first.
public record QueuedSteps(Lambda steps, RunnerPlaces places) implements Lambda {
  private static final ObjectMapper JSON = new ObjectMapper();

  @Override
  public byte[] invoke(byte[] payload) throws InterruptedException {
    JsonNode input = read(payload);
    return input.path("step").asText().equals("run") ? run(input, payload) : steps.invoke(payload);
  }

  private byte[] run(JsonNode input, byte[] payload) throws InterruptedException {
    String execution = input.path("thread_id").asText() + "-" + input.path("dispatch").asLong();
    places.take(input.path("workspace").asText(), input.path("session_id").asText(), execution);
    try {
      return steps.invoke(payload);
    } finally {
      places.leave(execution);
    }
  }

  private static JsonNode read(byte[] payload) {
    try {
      return JSON.readTree(payload);
    } catch (IOException e) {
      throw new StepError(StepError.RUNTIME, "not JSON: " + e.getMessage());
    }
  }
}
