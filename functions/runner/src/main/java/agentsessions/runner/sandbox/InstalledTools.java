package agentsessions.runner.sandbox;

import static java.util.Objects.requireNonNullElse;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The locations of installed agents: the machine's own search path, and one more folder as npm
/// lays it out (`bin` or `node_modules/.bin`), which sandboxes see read-only.
public record InstalledTools(Optional<Path> folder) {
  public static final String SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin";

  private static final List<String> BELOW = List.of("bin", "node_modules/.bin");

  public static String ownPath() {
    return requireNonNullElse(System.getenv("PATH"), SYSTEM_PATH);
  }

  /// The absolute path of a command of the runner, which is started with another PATH than the
  /// runner's; its plain name if it is not found.
  static String own(String command) {
    return Stream.of(ownPath().split(":"))
        .map(place -> Path.of(place).resolve(command))
        .filter(Files::isExecutable)
        .findFirst()
        .map(Path::toString)
        .orElse(command);
  }

  /// The PATH of an agent that sees the folder at `place`.
  String searchPath(String place, String system) {
    return folder.isEmpty()
        ? system
        : String.join(":", BELOW.stream().map(name -> place + "/" + name).toList()) + ":" + system;
  }

  /// Whether a command is installed on the search path of an agent.
  public boolean has(String command, String system) {
    return Stream.of(searchPath(folder.map(Path::toString).orElse(""), system).split(":"))
        .anyMatch(place -> Files.isExecutable(Path.of(place).resolve(command)));
  }
}
