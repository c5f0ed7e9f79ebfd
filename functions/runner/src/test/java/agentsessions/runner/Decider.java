package agentsessions.runner;

import agentsessions.runner.agent.Json;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The decisions of a person on tool calls, in the stand-in for the service: each request gets the
/// next outcome of a list, and expires where there is none.
public final class Decider {
  private final Queue<Outcome> outcomes = new ArrayDeque<>();
  private final List<JsonNode> asked = new ArrayList<>();
  private Outcome current = Outcome.NONE;

  /// @param polls for how many calls the request stays pending
  private record Outcome(int polls, ObjectNode state) {
    static final Outcome NONE = new Outcome(Integer.MAX_VALUE, state("pending"));

    static ObjectNode state(String status) {
      return Json.MAPPER.createObjectNode().put("status", status);
    }
  }

  /// Decides the next request at the poll with this number; at 0 the request is answered so at
  /// once.
  public synchronized void decides(int poll, String decision, @Nullable String note) {
    ObjectNode state = Outcome.state("decided").put("decision", decision);
    if (note != null) {
      state.put("note", note);
    }
    outcomes.add(new Outcome(poll, state));
  }

  /// Answers the next request, at its first poll.
  public synchronized void answers(String question, String value) {
    ObjectNode state = Outcome.state("decided").put("decision", "allow");
    state.putObject("answers").putArray(question).add(value);
    outcomes.add(new Outcome(1, state));
  }

  /// The next request is in another state at the poll with this number.
  public synchronized void turns(int poll, String status) {
    outcomes.add(new Outcome(poll, Outcome.state(status)));
  }

  /// What was asked, in its order.
  public synchronized List<JsonNode> asked() {
    return List.copyOf(asked);
  }

  /// @param path below `/requests`
  synchronized JsonNode answer(String path, JsonNode body) {
    boolean again = !asked.isEmpty() && asked.getLast().equals(body);
    if (path.isEmpty() && !again) {
      asked.add(body);
      current = outcomes.isEmpty() ? Outcome.NONE : outcomes.remove();
    } else if (path.endsWith("/expiry")) {
      current = current.polls() == Integer.MAX_VALUE ? expired() : new Outcome(0, current.state());
    } else if (!path.isEmpty() && current.polls() < Integer.MAX_VALUE) {
      current = new Outcome(Math.max(0, current.polls() - 1), current.state());
    }
    return state();
  }

  private static Outcome expired() {
    return new Outcome(0, Outcome.state("expired"));
  }

  private JsonNode state() {
    ObjectNode state = current.polls() == 0 ? current.state() : Outcome.state("pending");
    return state.deepCopy().put("id", new UUID(0, asked.size()).toString());
  }
}
