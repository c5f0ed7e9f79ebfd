package agentsessions.runner.turn;

import agentsessions.runner.agent.Json;
import agentsessions.runner.agent.tool.AgentToolCall;
import agentsessions.runner.sandbox.SessionFolder;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/// The calls that an agent was told to keep until a person has decided on them, in a file beside
/// the session's folders that no agent can reach. The agent makes them first when it is started
/// again, whatever it is started with: those of a turn that has ended must not run.
///
/// Why: decision 045.
record KeptCalls(SessionFolder folder) {
  private record Kept(String id, String tool) {}

  List<AgentToolCall> all() throws IOException {
    return kept().stream()
        .map(call -> new AgentToolCall(call.id(), call.tool(), MissingNode.getInstance()))
        .toList();
  }

  /// Notes one more, before the agent hears that it is to keep it.
  void add(AgentToolCall call) throws IOException {
    List<Kept> all = new ArrayList<>(kept());
    all.add(new Kept(call.id(), call.name()));
    Path fresh = folder.path().resolve("kept-calls.new");
    Files.write(fresh, Json.MAPPER.writeValueAsBytes(all));
    Files.move(fresh, folder.keptCalls(), StandardCopyOption.ATOMIC_MOVE);
  }

  /// The agent has heard what becomes of all of them.
  void forget() throws IOException {
    Files.deleteIfExists(folder.keptCalls());
  }

  private List<Kept> kept() throws IOException {
    try {
      return List.of(Json.MAPPER.readValue(Files.readAllBytes(folder.keptCalls()), Kept[].class));
    } catch (NoSuchFileException none) {
      return List.of();
    }
  }
}
