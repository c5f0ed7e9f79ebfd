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

/// A stub of the engine and of Step Functions' task tokens: it records the launches of runners and
/// the answers to tasks, and starts nothing. Answers to tasks of real executions, beside those that
/// are played, pass through.
final class StubEngine {
  /// The tokens of the tasks that are played.
  private final Set<String> played = ConcurrentHashMap.newKeySet();

  /// The last answer to each task, by its token.
  private final Map<String, String> said = new ConcurrentHashMap<>();

  /// The event of each launch, by the turn's thread.
  private final Map<String, JsonNode> launched = new ConcurrentHashMap<>();

  /// The task token of a turn's execution; it contains the workspace, so that the workspace's rule
  /// also gets the calls with this token.
  static String token(TurnIds turn, int dispatch) {
    return "%s of %s, %d".formatted(turn.workspace(), turn.thread(), dispatch);
  }

  /// The stub's answer; empty if the call is for AWS's stand-ins.
  Optional<ProxyReply> answer(AwsCall call) throws IOException {
    return switch (call.isAboutWebhooks() ? "" : call.operation()) {
      case "Invoke" -> {
        JsonNode event = Client.JSON.readTree(call.body());
        launched.put(event.path("ticket").asText().split("\\.", -1)[2], event);
        yield Optional.of(ProxyReply.json(202, ""));
      }
      case "RunTask" -> {
        ObjectNode event = event(Client.JSON.readTree(call.body()));
        launched.put(event.path("ticket").asText().split("\\.", -1)[2], event);
        yield Optional.of(
            ProxyReply.json(200, "{\"tasks\":[{\"taskArn\":\"task/one\"}],\"failures\":[]}"));
      }
      case "SendTaskSuccess", "SendTaskFailure", "SendTaskHeartbeat" -> {
        JsonNode word = Client.JSON.readTree(call.body());
        String token = word.path("taskToken").asText();
        if (!played.contains(token)) {
          yield Optional.empty();
        }
        said.put(token, word.path("error").asText("success"));
        yield Optional.of(ProxyReply.json(200, "{}"));
      }
      default -> Optional.empty();
    };
  }

  /// The environment of a task's runner, in the form of the event that a function gets.
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

  /// Plays the task of a turn's execution from now on, without any answer so far.
  void play(TurnIds turn, int dispatch) {
    launched.remove(turn.thread());
    said.remove(token(turn, dispatch));
    played.add(token(turn, dispatch));
  }

  /// The event with which a runner of the turn was launched, if one was.
  Optional<JsonNode> of(TurnIds turn) {
    return Optional.ofNullable(launched.get(turn.thread()));
  }

  /// The last answer to the task: an error, or `success`.
  Optional<String> said(TurnIds turn, int dispatch) {
    return Optional.ofNullable(said.get(token(turn, dispatch)));
  }
}
