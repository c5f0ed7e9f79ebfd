package agentsessions.runner.turn.call;

import agentsessions.runner.agent.Json;
import agentsessions.runner.agent.tool.AgentToolCall;
import agentsessions.runner.agent.tool.Verdict;
import agentsessions.runner.sandbox.SessionFolder;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The calls that an agent was told to keep until a person has decided on them, in a file beside
/// the session's folders that no agent can reach. The agent makes them first when it is started
/// again, whatever it is started with: those of a turn that has ended must not run. One is kept
/// until its hook has heard another verdict.
///
/// Why: decision 045.
public final class KeptCalls {
  private static final Logger LOG = LoggerFactory.getLogger(KeptCalls.class);

  private final SessionFolder folder;

  /// As long as a gate has for an answer.
  private static final Duration TO_HEAR = Duration.ofSeconds(15);

  /// The calls whose hooks are about to hear these verdicts, by id.
  private final IdentityHashMap<Verdict, String> given = new IdentityHashMap<>();

  private record Kept(String id, String tool) {
    AgentToolCall call() {
      return new AgentToolCall(id, tool, MissingNode.getInstance());
    }
  }

  public KeptCalls(SessionFolder folder) {
    this.folder = folder;
  }

  /// Those whose hooks have heard nothing else, once it is known of each what it has heard: an
  /// agent can end before the gate's thread has noted that.
  public synchronized List<AgentToolCall> all() throws IOException, InterruptedException {
    long end = System.nanoTime() + TO_HEAR.toNanos();
    while (!given.isEmpty() && end - System.nanoTime() > 0) {
      wait(100);
    }
    return kept().map(Kept::call).toList();
  }

  /// Notes a verdict before the agent hears it.
  ///
  /// @return whether that could be done
  synchronized boolean notes(AgentToolCall call, Verdict verdict) {
    try {
      if (verdict.kind() == Verdict.Kind.DEFERRED) {
        write(Stream.concat(kept(), Stream.of(new Kept(call.id(), call.name()))));
      } else if (kept().anyMatch(each -> each.id().equals(call.id()))) {
        given.put(verdict, call.id());
      }
      return true;
    } catch (IOException failed) {
      LOG.warn("a verdict is not noted: {}", failed.toString());
      return false;
    }
  }

  /// Forgets the call whose hook has heard a verdict.
  synchronized void answered(Verdict verdict, boolean heard) {
    String id = given.remove(verdict);
    notifyAll();
    try {
      if (heard && id != null) {
        write(kept().filter(call -> !call.id().equals(id)));
      }
    } catch (IOException failed) {
      LOG.warn("a call stays noted as kept: {}", failed.toString());
    }
  }

  private Stream<Kept> kept() throws IOException {
    try (InputStream file = new FileInputStream(folder.keptCalls().toFile())) {
      return Stream.of(Json.MAPPER.readValue(file.readAllBytes(), Kept[].class));
    } catch (FileNotFoundException none) {
      return Stream.of();
    }
  }

  /// By streams: the end of a gate interrupts its threads, which would close a channel.
  private void write(Stream<Kept> calls) throws IOException {
    byte[] content = Json.MAPPER.writeValueAsBytes(calls.toList());
    Path fresh = folder.path().resolve("kept-calls.new");
    try (FileOutputStream file = new FileOutputStream(fresh.toFile())) {
      file.write(content);
      file.getFD().sync();
    }
    Files.move(fresh, folder.keptCalls(), StandardCopyOption.ATOMIC_MOVE);
  }
}
