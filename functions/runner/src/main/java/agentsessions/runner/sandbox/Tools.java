package agentsessions.runner.sandbox;

import static java.util.Objects.requireNonNullElse;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Where the commands of agents are installed: on the machine, and in one more folder, as npm lays
/// it out (`bin` or `node_modules/.bin`), that sandboxes see read-only.
public record Tools(Optional<Path> folder) {
  public static final String SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin";

  private static final List<String> BELOW = List.of("bin", "node_modules/.bin");

  public static String ownPath() {
    return requireNonNullElse(System.getenv("PATH"), SYSTEM_PATH);
  }

  /// A command of the runner's own by its path, since it is started with another PATH than ours; by
  /// its name where there is none.
  static String own(String command) {
    return Stream.of(ownPath().split(":"))
        .map(place -> Path.of(place).resolve(command))
        .filter(Files::isExecutable)
        .findFirst()
        .map(Path::toString)
        .orElse(command);
  }

  /// PATH for an agent that sees the folder at `place`.
  String searchPath(String place, String system) {
    return folder.isEmpty()
        ? system
        : String.join(":", BELOW.stream().map(name -> place + "/" + name).toList()) + ":" + system;
  }

  /// Whether a command is there on a search path as the agent has it.
  public boolean has(String command, String system) {
    return Stream.of(searchPath(folder.map(Path::toString).orElse(""), system).split(":"))
        .anyMatch(place -> Files.isExecutable(Path.of(place).resolve(command)));
  }
}
