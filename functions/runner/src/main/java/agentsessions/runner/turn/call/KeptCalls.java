package agentsessions.runner.turn.call;

import agentsessions.runner.agent.Json;
import agentsessions.runner.agent.tool.AgentToolCall;
import agentsessions.runner.sandbox.SessionFolder;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/// The calls that an agent was told to keep until a person has decided on them, in a file beside
/// the session's folders that no agent can reach. The agent makes them first when it is started
/// again, whatever it is started with: those of a turn that has ended must not run.
///
/// Why: decision 045.
public record KeptCalls(SessionFolder folder) {
  private record Kept(String id, String tool) {
    AgentToolCall call() {
      return new AgentToolCall(id, tool, MissingNode.getInstance());
    }
  }

  public synchronized List<AgentToolCall> all() throws IOException {
    return kept().map(Kept::call).toList();
  }

  /// Notes one more, before the agent hears that it is to keep it.
  synchronized void add(AgentToolCall call) throws IOException {
    write(Stream.concat(kept(), Stream.of(new Kept(call.id(), call.name()))));
  }

  /// The agent has heard what becomes of the call with this id.
  public synchronized void forget(String id) throws IOException {
    write(kept().filter(call -> !call.id().equals(id)));
  }

  private Stream<Kept> kept() throws IOException {
    try {
      return Stream.of(Json.MAPPER.readValue(Files.readAllBytes(folder.keptCalls()), Kept[].class));
    } catch (NoSuchFileException none) {
      return Stream.of();
    }
  }

  private void write(Stream<Kept> calls) throws IOException {
    Path fresh = folder.path().resolve("kept-calls.new");
    Files.write(
        fresh,
        Json.MAPPER.writeValueAsBytes(calls.toList()),
        StandardOpenOption.CREATE,
        StandardOpenOption.TRUNCATE_EXISTING,
        StandardOpenOption.WRITE,
        StandardOpenOption.SYNC);
    Files.move(fresh, folder.keptCalls(), StandardCopyOption.ATOMIC_MOVE);
  }
}
