package agentsessions.local;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.google.common.base.Splitter;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Which agents of the catalogue this machine can run, and what they need from its environment.
final class Catalogue {
  private static final Pattern VARIABLE =
      Pattern.compile("\\$\\{((?!AGENT_)[A-Za-z_][A-Za-z0-9_]*)(:-)?");
  private static final Logger log = LoggerFactory.getLogger(Catalogue.class);

  private final Map<String, JsonNode> entries = new LinkedHashMap<>();
  private final Map<String, String> environment;

  private Catalogue(JsonNode entries, Map<String, String> environment) {
    entries.properties().forEach(entry -> this.entries.put(entry.getKey(), entry.getValue()));
    this.environment = environment;
  }

  /// The catalogue that the service carries.
  static Catalogue load() {
    try (InputStream file = Catalogue.class.getResourceAsStream("/agents.yaml")) {
      if (file == null) {
        throw new CannotStart("Not built: the service carries no agents.yaml");
      }
      return new Catalogue(new YAMLMapper().readTree(file), System.getenv());
    } catch (IOException e) {
      throw new CannotStart("Cannot read agents.yaml: " + Failures.text(e), e);
    }
  }

  /// The agents to offer. Why another is not offered goes to the log.
  ///
  /// @param isolation what the runner found: `bubblewrap` or `none`
  List<String> offered(String isolation) {
    List<String> offered = new ArrayList<>();
    entries.forEach((name, entry) -> {
      @Nullable String obstacle = obstacle(entry, isolation);
      if (obstacle == null) {
        offered.add(name);
      } else {
        log.info("agent {} is not offered: {}", name, obstacle);
      }
    });
    return offered;
  }

  /// The variables that entries name, as far as they are set here: the only part of this
  /// environment the runner gets.
  Map<String, String> variables() {
    Map<String, String> found = new TreeMap<>();
    for (JsonNode entry : entries.values()) {
      Matcher names = VARIABLE.matcher(entry.path("environment") + " " + entry.path("seed"));
      while (names.find()) {
        @Nullable String value = environment.get(names.group(1));
        if (value != null) {
          found.put(names.group(1), value);
        }
      }
    }
    return found;
  }

  private @Nullable String obstacle(JsonNode entry, String isolation) {
    String command = entry.path("command").path(0).asText();
    if (!isOnPath(command)) {
      return "its command " + command + " is not installed";
    }
    if (isolation.equals("none") && !entry.path("isolation").asText("sandbox").equals("trusted")) {
      return "it needs a sandbox, and bubblewrap does not work here";
    }
    return null;
  }

  private boolean isOnPath(String command) {
    if (command.contains("/")) {
      return Files.isExecutable(Path.of(command));
    }
    for (String folder :
        Splitter.on(File.pathSeparator).split(environment.getOrDefault("PATH", ""))) {
      Path file = Path.of(folder, command);
      if (Files.isRegularFile(file) && Files.isExecutable(file)) {
        return true;
      }
    }
    return false;
  }
}
