package agentsessions.local;

import agentsessions.local.machine.CannotStart;
import agentsessions.local.machine.Failures;
import agentsessions.local.machine.Installation;
import agentsessions.local.machine.InstalledCommands;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The agents of `agents.yaml`, each checked against this machine: whether its command is
/// installed, whether it needs a sandbox, and which environment variables it names.
final class Catalogue {
  private static final Pattern VARIABLE =
      Pattern.compile("\\$\\{((?!AGENT_)[A-Za-z_][A-Za-z0-9_]*)(:-)?");

  private final Map<String, JsonNode> entries = new LinkedHashMap<>();
  private final Map<String, String> environment;

  private Catalogue(JsonNode entries, Map<String, String> environment) {
    entries.properties().forEach(entry -> this.entries.put(entry.getKey(), entry.getValue()));
    this.environment = environment;
  }

  /// Reads the packaged catalogue, or the operator's own (`--agents`).
  ///
  /// @throws CannotStart with line and field if it does not match its schema
  static Catalogue load(Installation installation, Settings settings) {
    String name = settings.agentsFile().map(Path::toString).orElse("agents.yaml");
    try {
      String text = text(settings.agentsFile());
      List<String> mistakes = new CatalogueSchema(installation.catalogueSchema()).mistakes(text);
      if (!mistakes.isEmpty()) {
        throw new CannotStart(name + ": " + String.join("\n" + name + ": ", mistakes));
      }
      JsonNode entries = new YAMLMapper().readTree(text);
      settings.trusted().forEach(agent -> trust(entries, agent, name));
      return new Catalogue(entries, settings.environment());
    } catch (IOException e) {
      throw new CannotStart("Cannot read " + name + ": " + Failures.text(e), e);
    }
  }

  private static void trust(JsonNode entries, String agent, String catalogue) {
    if (!(entries.get(agent) instanceof ObjectNode entry)) {
      throw new CannotStart("There is no agent " + agent + " in " + catalogue + " (--trust)");
    }
    entry.put("isolation", "trusted");
  }

  private static String text(Optional<Path> own) throws IOException {
    if (own.isPresent()) {
      if (Files.notExists(own.get())) {
        throw new CannotStart("There is no file " + own.get() + " (--agents)");
      }
      return Files.readString(own.get());
    }
    try (InputStream file = Catalogue.class.getResourceAsStream("/agents.yaml")) {
      if (file == null) {
        throw new CannotStart("Not built: the service carries no agents.yaml");
      }
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /// The agents that sessions can use where turns run as processes, and the reason for each of the
  /// others.
  ///
  /// @param tools a folder with installed agents that sandboxes see beside the system's own folders
  List<AgentAvailability> availability(SandboxSupport isolation, Optional<Path> tools) {
    List<Path> searched = searched(isolation, tools);
    return entries.entrySet().stream()
        .map(entry -> availability(entry.getKey(), entry.getValue(), isolation, searched))
        .toList();
  }

  /// The same where turns run in containers: an agent needs its command in the image.
  ///
  /// @param image the name of the image
  /// @param commands those of [#commands()] that the image has
  List<AgentAvailability> availabilityIn(String image, Set<String> commands) {
    return entries.entrySet().stream()
        .<AgentAvailability>map(entry -> {
          String command = command(entry.getValue());
          return commands.contains(command)
              ? new AgentAvailability.Offered(entry.getKey(), unset(entry.getValue()))
              : new AgentAvailability.Missing(
                  entry.getKey(), "the image " + image + " has no command " + command);
        })
        .toList();
  }

  /// The command of each agent.
  Set<String> commands() {
    return entries.values().stream().map(Catalogue::command).collect(Collectors.toSet());
  }

  /// The model URLs that entries state themselves, not by a variable.
  Stream<String> modelUrls() {
    return entries.values().stream().map(entry -> entry.path("model").path("url").asText());
  }

  private static String command(JsonNode entry) {
    return entry.path("command").path(0).asText();
  }

  private AgentAvailability availability(
      String name, JsonNode entry, SandboxSupport isolation, List<Path> searched) {
    @Nullable String obstacle = obstacle(entry, isolation, searched);
    return obstacle == null
        ? new AgentAvailability.Offered(name, unset(entry))
        : new AgentAvailability.Missing(name, obstacle);
  }

  /// The variables that entries name and that are set here. Of this process's environment the
  /// runner gets these, and `PATH`.
  Map<String, String> variables() {
    Map<String, String> found = new TreeMap<>();
    entries.values().stream()
        .flatMap(Catalogue::named)
        .map(each -> each.group(1))
        .forEach(name -> {
          @Nullable String value = environment.get(name);
          if (value != null) {
            found.put(name, value);
          }
        });
    return found;
  }

  /// The variables that an entry names without a default and that are not set here.
  private List<String> unset(JsonNode entry) {
    return named(entry)
        .filter(each -> each.group(2) == null)
        .map(each -> each.group(1))
        .filter(name -> environment.getOrDefault(name, "").isEmpty())
        .distinct()
        .toList();
  }

  private static Stream<MatchResult> named(JsonNode entry) {
    return VARIABLE
        .matcher(entry.path("environment") + " " + entry.path("seed") + " " + entry.path("model"))
        .results();
  }

  private @Nullable String obstacle(JsonNode entry, SandboxSupport isolation, List<Path> searched) {
    String command = command(entry);
    boolean trusted = entry.path("isolation").asText().equals("trusted");
    if (!InstalledCommands.isIn(searched, command)) {
      return InstalledCommands.isIn(ownPath(), command)
          ? "sandboxes do not see its command " + command + ": name its folder with --tools"
          : "its command " + command + " is not installed";
    }
    return isolation.isSandbox() || trusted ? null : "it needs a sandbox";
  }

  /// The folders of an agent's `PATH`, as the runner sets it.
  private List<Path> searched(SandboxSupport isolation, Optional<Path> tools) {
    List<Path> folders =
        new ArrayList<>(isolation.isSandbox() ? InstalledCommands.SANDBOX_FOLDERS : ownPath());
    tools.ifPresent(folder ->
        folders.addAll(List.of(folder.resolve("bin"), folder.resolve("node_modules/.bin"))));
    return folders;
  }

  private List<Path> ownPath() {
    return InstalledCommands.folders(environment.getOrDefault("PATH", ""));
  }
}
