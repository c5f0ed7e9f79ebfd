package agentsessions.chaos.rig;

import agentsessions.talk.Answer;
import agentsessions.talk.Client;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A service under the script that supervises it for scripts/start, and starts it again when it has
/// crashed; with any part of it to be killed.
public final class SupervisedService implements AutoCloseable {
  private static final String SUPERVISE = "set -euo pipefail; . \"$0\"; supervise \"$@\"";

  private final Path data;
  private final URI base = ServiceProcess.free();
  private final List<String> command = new ArrayList<>();
  private @Nullable Process script;
  private boolean closed;

  public SupervisedService(Path data) throws IOException {
    this.data = data;
    Path home = Path.of(System.getProperty("agentsessions.home", "../..")).toAbsolutePath();
    command.addAll(
        List.of("bash", "-c", SUPERVISE, home.resolve("scripts/lib/supervise.sh").toString()));
    command.addAll(new ServiceCommand(ready(), List.of()).line(base, ServiceProcess.free(), data));
    SharedRig.close();
    // Else it would outlive a bench that is cut off.
    Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(this::close));
  }

  /// Has it started, as scripts/start does.
  public synchronized void begin() throws IOException {
    if (closed) {
      throw new IllegalStateException("it was closed");
    }
    script =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
            .start();
  }

  /// What it and its script have said.
  public Path log() {
    return data.resolve("service.log");
  }

  public Client client() throws IOException {
    return Client.of(base, List.of(Files.readString(data.resolve("local-key")).strip()));
  }

  /// Whether its script has given it up.
  public boolean hasEnded() {
    return script != null && !script.isAlive();
  }

  /// The process that is this part now.
  public Optional<ProcessHandle> process(ServicePart part) {
    return processes().stream().filter(part::is).findFirst();
  }

  /// When the process of the service began that there is now.
  public Optional<Instant> begun() {
    return process(ServicePart.SERVICE).flatMap(process -> process.info().startInstant());
  }

  /// Whether that process has started, by what it writes near the end of each start. A request
  /// would wait until then.
  public boolean hasStarted() {
    return begun().filter(told()::isAfter).isPresent();
  }

  /// Whether it does all that it is there for: also run its agents.
  public boolean serves() {
    try {
      return client().get("/health").text("/status").equals("ok")
          && agents(client().get("/agents"));
    } catch (IOException | UncheckedIOException notYet) {
      return false;
    }
  }

  /// `kill -9` for the script and all below it at once, as a machine does that loses its power.
  public void killAll() {
    List<ProcessHandle> tree = new ArrayList<>(processes());
    if (script != null) {
      tree.addFirst(script.toHandle());
    }
    tree.forEach(ProcessHandle::destroyForcibly);
    tree.forEach(dead -> dead.onExit().join());
  }

  @Override
  public synchronized void close() {
    closed = true;
    killAll();
  }

  private Instant told() {
    try {
      return Files.getLastModifiedTime(data.resolve("base-url")).toInstant();
    } catch (IOException notYet) {
      return Instant.MIN;
    }
  }

  private List<ProcessHandle> processes() {
    return script == null ? List.of() : script.descendants().toList();
  }

  private static boolean agents(Answer answer) {
    return answer.status() == 200
        && answer.json().path("items").findValuesAsText("name").contains("shell");
  }

  /// The caches that scripts/test has made for children, where there are any: starts as users have.
  private static Map<String, String> ready() {
    return Stream.of("agentsessions.runner.options", "agentsessions.database.options")
        .filter(name -> System.getProperty(name) != null)
        .collect(Collectors.toMap(Function.identity(), System::getProperty));
  }
}
