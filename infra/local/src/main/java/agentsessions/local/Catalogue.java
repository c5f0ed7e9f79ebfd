package agentsessions.local;

import agentsessions.local.machine.CannotStart;
import agentsessions.local.machine.Failures;
import agentsessions.local.machine.Installation;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.google.common.base.Splitter;
import java.io.File;
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

/// Which agents of the catalogue this machine can run, and what they need from its environment.
final class Catalogue {
  private static final Pattern VARIABLE =
      Pattern.compile("\\$\\{((?!AGENT_)[A-Za-z_][A-Za-z0-9_]*)(:-)?");
  private static final List<Path> SYSTEM =
      List.of(Path.of("/usr/local/bin"), Path.of("/usr/bin"), Path.of("/bin"));

  private final Map<String, JsonNode> entries = new LinkedHashMap<>();
  private final Map<String, String> environment;

  private Catalogue(JsonNode entries, Map<String, String> environment) {
    entries.properties().forEach(entry -> this.entries.put(entry.getKey(), entry.getValue()));
    this.environment = environment;
  }

  /// The catalogue that the service carries, or the one that the settings name.
  ///
  /// @throws CannotStart naming line and field if it is not as its schema says
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

  /// Which agents can be offered, and why another cannot.
  ///
  /// @param tools a folder with agents that sandboxes see beside the system's own
  List<Offer> offers(Isolation isolation, Optional<Path> tools) {
    List<Path> searched = searched(isolation, tools);
    return entries.entrySet().stream()
        .map(entry -> offer(entry.getKey(), entry.getValue(), isolation, searched))
        .toList();
  }

  /// The same of tasks.
  ///
  /// @param image its name
  /// @param commands those of #commands that it has
  List<Offer> offersOf(String image, Set<String> commands) {
    return entries.entrySet().stream()
        .<Offer>map(entry -> {
          String command = command(entry.getValue());
          return commands.contains(command)
              ? new Offer.Offered(entry.getKey(), unset(entry.getValue()))
              : new Offer.Missing(
                  entry.getKey(), "the image " + image + " has no command " + command);
        })
        .toList();
  }

  /// The commands of its agents.
  Set<String> commands() {
    return entries.values().stream().map(Catalogue::command).collect(Collectors.toSet());
  }

  /// Where its models are, as far as it says so itself.
  Stream<String> modelUrls() {
    return entries.values().stream().map(entry -> entry.path("model").path("url").asText());
  }

  private static String command(JsonNode entry) {
    return entry.path("command").path(0).asText();
  }

  private Offer offer(String name, JsonNode entry, Isolation isolation, List<Path> searched) {
    @Nullable String obstacle = obstacle(entry, isolation, searched);
    return obstacle == null
        ? new Offer.Offered(name, unset(entry))
        : new Offer.Missing(name, obstacle);
  }

  /// The variables that entries name, as far as they are set here: the only part of this
  /// environment the runner gets.
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

  /// What an entry needs, has no default for, and does not find here.
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

  private @Nullable String obstacle(JsonNode entry, Isolation isolation, List<Path> searched) {
    String command = command(entry);
    boolean trusted = entry.path("isolation").asText().equals("trusted");
    if (!isIn(searched, command)) {
      return isIn(ownPath(), command)
          ? "sandboxes do not see its command " + command + ": name its folder with --tools"
          : "its command " + command + " is not installed";
    }
    return isolation.isSandbox() || trusted ? null : "it needs a sandbox";
  }

  /// Where agents find commands: as the runner sets their PATH.
  private List<Path> searched(Isolation isolation, Optional<Path> tools) {
    List<Path> folders = new ArrayList<>(isolation.isSandbox() ? SYSTEM : ownPath());
    tools.ifPresent(folder ->
        folders.addAll(List.of(folder.resolve("bin"), folder.resolve("node_modules/.bin"))));
    return folders;
  }

  private List<Path> ownPath() {
    return folders(environment.getOrDefault("PATH", ""));
  }

  private static List<Path> folders(String path) {
    return Splitter.on(File.pathSeparator).splitToStream(path).map(Path::of).toList();
  }

  /// Whether a command is found by the `PATH` of this process.
  static boolean isInstalled(String command) {
    return isIn(folders(System.getenv().getOrDefault("PATH", "")), command);
  }

  private static boolean isIn(List<Path> folders, String command) {
    return folders.stream()
        .map(folder -> folder.resolve(command))
        .anyMatch(file -> Files.isRegularFile(file) && Files.isExecutable(file));
  }
}
