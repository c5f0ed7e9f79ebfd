package agentsessions.session;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// An entry of the catalogue `infra/agents.yaml`. `entry` goes to the runner, with values of the
/// operator filled into its environment; the service itself reads only the parts that clients see
/// or that requests are checked against. `engine` is the engine that runs it in this deployment.
public record Agent(
    String name, String description, Duration timeLimit, Engine engine, Map<String, Object> entry) {
  private static final Pattern FILLED = Pattern.compile("\\$\\{(\\w+)");
  private static final Pattern NAMED = Pattern.compile("\\$\\{(\\w+)(?::-[^}]*)?\\}");
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_-]{0,63}");

  /// Whether a catalogue can have an agent of this name.
  public static boolean isName(String text) {
    return NAME.matcher(text).matches();
  }

  /// The models that a session may choose from; none where there is no choice.
  public List<String> models() {
    return entry.get("models") instanceof List<?> models
        ? models.stream().map(String::valueOf).toList()
        : List.of();
  }

  /// Whether the calls of its tools can be judged before they run: by an entry that says how, where
  /// the agent cannot change what makes it ask. In a task that is its file system but for HOME,
  /// which no mount keeps there; in a function the agent is the runner's own user.
  public boolean hasGate() {
    return entry.get("gate") instanceof Map<?, ?> gate
        && switch (engine) {
          case MACHINE -> true;
          case CONTAINER, FARGATE -> !isInHome(gate);
          case LAMBDA -> false;
        };
  }

  private static boolean isInHome(Map<?, ?> gate) {
    boolean asks =
        gate.get("questions") instanceof Map<?, ?> questions && hasFilesInHome(questions);
    return asks || hasFilesInHome(gate);
  }

  private static boolean hasFilesInHome(Map<?, ?> part) {
    return part.get("files") instanceof Map<?, ?> files
        && files.keySet().stream().anyMatch(path -> String.valueOf(path).startsWith("~"));
  }

  /// Whether nothing is between it and the network: by its entry, or where no sandbox closes it.
  public boolean isOpen() {
    return engine != Engine.MACHINE || network(List.of()) instanceof Network.Open;
  }

  /// Whether a call that waited longer than the agent is made anew by it, once it is allowed.
  public boolean reissuesCalls() {
    return entry.get("gate") instanceof Map<?, ?> gate && "reissued".equals(gate.get("parks"));
  }

  /// Whether a person can be asked what it wants to know: by a tool that its gate names.
  public boolean asksQuestions() {
    return hasGate()
        && entry.get("gate") instanceof Map<?, ?> gate
        && gate.get("questions") instanceof Map;
  }

  /// Whether it can be made to plan only, and what else it does then be refused.
  public boolean plans() {
    return hasGate() && entry.get("plan") instanceof Map;
  }

  /// The names of the `${…}` variables in its model's address and headers, such as those of keys.
  public Set<String> modelNames() {
    return entry.get("model") instanceof Map<?, ?> model
        ? filledNames(model.get("url") + " " + model.get("headers"))
        : Set.of();
  }

  /// The names of the `${…}` variables in a part of an entry, at any depth.
  public static Set<String> filledNames(@Nullable Object part) {
    return FILLED
        .matcher(String.valueOf(part))
        .results()
        .map(name -> name.group(1))
        .collect(Collectors.toUnmodifiableSet());
  }

  /// Its entry with these values filled into its environment. A variable stays as it is where its
  /// value is empty or contains `${` itself.
  public Map<String, Object> filled(Map<String, String> values) {
    if (values.isEmpty() || !(entry.get("environment") instanceof Map<?, ?> environment)) {
      return entry;
    }
    Map<Object, Object> variables = new LinkedHashMap<>(environment);
    variables.replaceAll((_, text) -> text instanceof String one ? filled(one, values) : text);
    Map<String, Object> filled = new LinkedHashMap<>(entry);
    filled.put("environment", variables);
    return filled;
  }

  private static String filled(String text, Map<String, String> values) {
    return NAMED
        .matcher(text)
        .replaceAll(found -> {
          String value = values.getOrDefault(found.group(1), "");
          return Matcher.quoteReplacement(
              value.isEmpty() || value.contains("${") ? found.group() : value);
        });
  }

  /// The environment variables that the entry sets itself.
  public Set<String> variables() {
    return entry.get("environment") instanceof Map<?, ?> environment
        ? environment.keySet().stream().map(String::valueOf).collect(Collectors.toUnmodifiableSet())
        : Set.of();
  }

  /// The network access of a confined agent.
  public sealed interface Network {
    record None() implements Network {}

    record Model() implements Network {}

    /// Its model and these hosts only.
    ///
    /// @param hosts each a name, `*.` and the end of names, or either with a port
    record Hosts(List<String> hosts) implements Network {}

    record Open() implements Network {}
  }

  /// Its network access where it is confined.
  ///
  /// @param more hosts that the operator allows to every agent
  public Network network(List<String> more) {
    return switch (entry.getOrDefault("network", "none")) {
      case Map<?, ?> network when network.get("hosts") instanceof List<?> hosts ->
          hosts(Stream.concat(hosts.stream().map(String::valueOf), more.stream()).toList());
      case String word when word.equals("host") -> new Network.Open();
      case String word when word.equals("none") && more.isEmpty() -> new Network.None();
      default -> hosts(more);
    };
  }

  private static Network hosts(List<String> hosts) {
    return hosts.isEmpty() ? new Network.Model() : new Network.Hosts(hosts);
  }
}
