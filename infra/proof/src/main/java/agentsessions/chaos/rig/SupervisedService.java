package agentsessions.chaos.rig;

import agentsessions.talk.ApiResponse;
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

/// A service under the supervisor script of scripts/start, which restarts it after a crash; any
/// part of it can be killed.
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
    // Or the service would outlive an interrupted bench.
    Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(this::close));
  }

  /// Starts the script, as scripts/start does.
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

  /// The log of the service and its script.
  public Path log() {
    return data.resolve("service.log");
  }

  public Client client() throws IOException {
    return Client.of(base, List.of(Files.readString(data.resolve("local-key")).strip()));
  }

  /// Whether the script has ended, and with it the restarts.
  public boolean hasEnded() {
    return script != null && !script.isAlive();
  }

  /// The process of this part, if it is there.
  public Optional<ProcessHandle> process(ServicePart part) {
    return processes().stream().filter(part::is).findFirst();
  }

  /// The start time of the service's present process.
  public Optional<Instant> begun() {
    return process(ServicePart.SERVICE).flatMap(process -> process.info().startInstant());
  }

  /// Whether the present process has started up, by the file that it writes near the end of a
  /// start: a request would wait until then.
  public boolean hasStarted() {
    return begun().filter(told()::isAfter).isPresent();
  }

  /// Whether the service is healthy and offers its agents.
  public boolean serves() {
    try {
      return client().get("/health").text("/status").equals("ok")
          && agents(client().get("/agents"));
    } catch (IOException | UncheckedIOException notYet) {
      return false;
    }
  }

  /// `kill -9` for the script and all its descendants at once, like a power failure.
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

  private static boolean agents(ApiResponse answer) {
    return answer.status() == 200
        && answer.json().path("items").findValuesAsText("name").contains("shell");
  }

  /// The class caches that scripts/test has made for child processes, if any, so that starts are as
  /// fast as users' are.
  private static Map<String, String> ready() {
    return Stream.of("agentsessions.runner.options", "agentsessions.database.options")
        .filter(name -> System.getProperty(name) != null)
        .collect(Collectors.toMap(Function.identity(), System::getProperty));
  }
}
