package agentsessions.chaos.rig;

import agentsessions.talk.Client;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// What a step asked of the engine and said to its task, in place of both: nothing is started. What
/// is said to the tasks of real executions, beside those that are played, is not answered here.
final class Launches {
  /// The tokens of the tasks that are played.
  private final Set<String> played = ConcurrentHashMap.newKeySet();

  /// By the token of its task.
  private final Map<String, String> said = new ConcurrentHashMap<>();

  /// By the turn, its event.
  private final Map<String, JsonNode> launched = new ConcurrentHashMap<>();

  /// What a task is told at its start, so that a rule for the workspace sees what is said by it.
  static String token(TurnIds turn, int dispatch) {
    return "%s of %s, %d".formatted(turn.workspace(), turn.thread(), dispatch);
  }

  /// The answer, where the call is one of these.
  Optional<Reply> answer(AwsCall call) throws IOException {
    return switch (call.isAboutWebhooks() ? "" : call.operation()) {
      case "Invoke" -> {
        JsonNode event = Client.JSON.readTree(call.body());
        launched.put(event.path("ticket").asText().split("\\.", -1)[2], event);
        yield Optional.of(Reply.json(202, ""));
      }
      case "RunTask" -> {
        ObjectNode event = event(Client.JSON.readTree(call.body()));
        launched.put(event.path("ticket").asText().split("\\.", -1)[2], event);
        yield Optional.of(
            Reply.json(200, "{\"tasks\":[{\"taskArn\":\"task/one\"}],\"failures\":[]}"));
      }
      case "SendTaskSuccess", "SendTaskFailure", "SendTaskHeartbeat" -> {
        JsonNode word = Client.JSON.readTree(call.body());
        String token = word.path("taskToken").asText();
        if (!played.contains(token)) {
          yield Optional.empty();
        }
        said.put(token, word.path("error").asText("success"));
        yield Optional.of(Reply.json(200, "{}"));
      }
      default -> Optional.empty();
    };
  }

  /// What a task's runner finds in its environment, as a function is given it.
  private static ObjectNode event(JsonNode call) {
    ObjectNode event = Client.JSON.createObjectNode();
    for (JsonNode container : call.at("/overrides/containerOverrides")) {
      if (container.path("name").asText().equals("runner")) {
        for (JsonNode variable : container.path("environment")) {
          event.put(
              variable.path("name").asText().toLowerCase(Locale.ROOT),
              variable.path("value").asText());
        }
      }
    }
    return event;
  }

  /// The task of a turn's execution is played from now on, and has heard nothing yet.
  void play(TurnIds turn, int dispatch) {
    launched.remove(turn.thread());
    said.remove(token(turn, dispatch));
    played.add(token(turn, dispatch));
  }

  /// The event with which a runner of the turn was started, if one was.
  Optional<JsonNode> of(TurnIds turn) {
    return Optional.ofNullable(launched.get(turn.thread()));
  }

  /// What the task was told last: an error, or `success`.
  Optional<String> said(TurnIds turn, int dispatch) {
    return Optional.ofNullable(said.get(token(turn, dispatch)));
  }
}
