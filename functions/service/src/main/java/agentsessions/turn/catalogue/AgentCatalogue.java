package agentsessions.turn.catalogue;

import agentsessions.session.Agent;
import agentsessions.session.Engine;
import io.micronaut.context.annotation.Property;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/// The agents that sessions can be created with: the entries of `infra/agents.yaml` whose names
/// this deployment offers (setting `AGENTS`; it knows what its runner has installed, which cannot
/// be seen from here) and that an engine of it can run. Those it trusts besides (setting
/// `TRUSTED_AGENTS`) run where there is no sandbox, too. Setting `AGENTS_FILE` names a catalogue to
/// be used instead.
@Singleton
public final class AgentCatalogue {
  private static final String FILE = "agents.yaml";

  private final Map<String, Agent> agents = new LinkedHashMap<>();
  private final Set<String> modelNames = new HashSet<>();
  private final Set<String> names = new LinkedHashSet<>();

  public AgentCatalogue(
      @Property(name = "agents") List<String> offered,
      @Property(name = "agents.file") @Nullable String file,
      @Property(name = "trusted.agents", defaultValue = "") List<String> trusted,
      Engines engines) {
    entries(file)
        .forEach((name, entry) -> {
          names.add(name);
          modelNames.addAll(Agent.filledNames(entry.get("model")));
          Map<String, Object> marked = trusted.contains(name) ? trusted(entry) : entry;
          if (offered.contains(name)) {
            engines
                .of(name, marked)
                .map(engine -> agent(name, marked, engine, engines.longest(engine)))
                .ifPresent(agent -> agents.put(name, agent));
          }
        });
  }

  public Optional<Agent> find(String name) {
    return Optional.ofNullable(agents.get(name));
  }

  /// Whether an entry has this name, offered or not.
  public boolean has(String name) {
    return names.contains(name);
  }

  /// The names of all entries, offered or not.
  Set<String> names() {
    return Collections.unmodifiableSet(names);
  }

  public List<Agent> offered() {
    return List.copyOf(agents.values());
  }

  /// The names of the operator's variables that an agent's environment is filled in with: none that
  /// fills in the model of any entry, offered or not, since that may be a key, and none that the
  /// runner sets.
  public Set<String> variables(Agent agent) {
    return Agent.filledNames(agent.entry().get("environment")).stream()
        .filter(name -> !modelNames.contains(name) && !name.startsWith("AGENT_"))
        .collect(Collectors.toUnmodifiableSet());
  }

  private static Agent agent(String name, Map<String, Object> entry, Engine engine, Duration most) {
    Duration limit = Duration.ofSeconds(seconds(entry.getOrDefault("time_limit_seconds", 3600)));
    return new Agent(
        name,
        String.valueOf(entry.getOrDefault("description", name)),
        limit.compareTo(most) < 0 ? limit : most,
        engine,
        entry);
  }

  private static Map<String, Object> trusted(Map<String, Object> entry) {
    Map<String, Object> marked = new LinkedHashMap<>(entry);
    marked.put("isolation", "trusted");
    return marked;
  }

  private static long seconds(Object value) {
    if (value instanceof Number number) {
      return number.longValue();
    }
    throw new IllegalStateException(FILE + ": time_limit_seconds is not a number");
  }

  /// @param own the path of an operator's own catalogue, or null for the packaged one
  private static Map<String, Map<String, Object>> entries(@Nullable String own) {
    try (InputStream file = own == null ? packaged() : Files.newInputStream(Path.of(own))) {
      return new Yaml(new SafeConstructor(new LoaderOptions())).load(file);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static InputStream packaged() {
    InputStream file = AgentCatalogue.class.getResourceAsStream("/" + FILE);
    if (file == null) {
      throw new IllegalStateException(FILE + " is not in the package");
    }
    return file;
  }
}
