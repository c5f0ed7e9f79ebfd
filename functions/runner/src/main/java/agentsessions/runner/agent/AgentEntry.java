package agentsessions.runner.agent;

import static java.util.Objects.requireNonNullElse;

import agentsessions.runner.agent.tool.PlanMode;
import agentsessions.runner.agent.tool.ToolGateEntry;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// An agent's entry of the catalogue `infra/agents.yaml`: its command, its limits and the rules by
/// which its output is read. The schema of the catalogue describes each field; defaults of absent
/// fields are set here.
public record AgentEntry(
    List<String> command,
    @Nullable Resume resume,
    Stdin stdin,
    Map<String, String> environment,
    Map<String, String> seed,
    TextRule reply,
    @Nullable TextRule error,
    List<EventRule> events,
    List<String> plans,
    List<String> ignore,
    Interrupt interrupt,
    int timeLimitSeconds,
    List<String> models,
    NetworkAccess network,
    @Nullable Model model,
    @Nullable ToolGateEntry gate,
    PlanMode.@Nullable Entry plan,
    Isolation isolation) {
  private static final List<String> PLANS = List.of("PLAN.md", "plans/**/*.md");
  private static final List<String> IGNORE =
      List.of("**/.git", "**/node_modules", "**/__pycache__", "**/.venv", "**/.cache");
  private static final int HOUR = 3600;

  public AgentEntry {
    stdin = requireNonNullElse(stdin, Stdin.MESSAGE);
    environment = requireNonNullElse(environment, Map.of());
    seed = requireNonNullElse(seed, Map.of());
    reply = requireNonNullElse(reply, TextRule.STDOUT);
    events = requireNonNullElse(events, List.of());
    plans = requireNonNullElse(plans, PLANS);
    ignore = requireNonNullElse(ignore, IGNORE);
    interrupt = requireNonNullElse(interrupt, new Interrupt(Signal.INT, null, null));
    timeLimitSeconds = timeLimitSeconds == 0 ? HOUR : timeLimitSeconds;
    models = requireNonNullElse(models, List.of());
    network = requireNonNullElse(network, NetworkAccess.NONE);
    isolation = requireNonNullElse(isolation, Isolation.SANDBOX);
  }

  public Duration timeLimit() {
    return Duration.ofSeconds(timeLimitSeconds);
  }

  /// Whether the agent's whole standard output is read as one JSON value.
  public boolean readsJson() {
    return reply.from() == TextRule.From.JSON
        || (error != null && error.from() == TextRule.From.JSON);
  }

  /// Whether the agent's standard output is read as JSON Lines.
  public boolean printsJsonLines() {
    return events.stream().anyMatch(rule -> rule.type() != EventRule.Kind.OUTPUT)
        || reply.readsLines()
        || (error != null && error.readsLines());
  }

  /// Whether the agent's plain output is shown in the transcript while it runs.
  public boolean showsOutput() {
    return events.stream().anyMatch(rule -> rule.type() == EventRule.Kind.OUTPUT);
  }

  public enum Stdin {
    MESSAGE,
    NONE
  }

  public enum Isolation {
    SANDBOX,
    TRUSTED
  }

  /// The model endpoint of an agent whose network includes `model`, and the headers that each
  /// request to it gets.
  ///
  /// @param allow the requests an agent may make, as {@link AllowedRequest} reads them; by default
  ///   every GET and POST
  /// @param maxRequests the most requests of one turn
  /// @param dialect the model's API, from whose responses usage is counted; without it nothing is
  ///   counted
  /// @param counted the requests that use tokens, as {@link AllowedRequest} reads them
  public record Model(
      String url,
      Map<String, String> headers,
      List<String> allow,
      int maxRequests,
      @Nullable Dialect dialect,
      List<String> counted) {
    private static final List<String> ANY = List.of("GET /*", "POST /*");
    private static final int REQUESTS = 1000;

    public Model {
      headers = requireNonNullElse(headers, Map.of());
      allow = requireNonNullElse(allow, ANY);
      maxRequests = maxRequests == 0 ? REQUESTS : maxRequests;
      counted = requireNonNullElse(counted, List.of());
    }

    public boolean allows(String method, String path) {
      return isAmong(allow, method, path);
    }

    /// The dialect in which the response states what this request used; empty for a request that
    /// uses no tokens.
    public Optional<Dialect> counts(String method, String path) {
      return Optional.ofNullable(dialect).filter(_ -> isAmong(counted, method, path));
    }

    private static boolean isAmong(List<String> requests, String method, String path) {
      return requests.stream().map(AllowedRequest::of).anyMatch(each -> each.is(method, path));
    }

    /// The same model for a proxy that does not count usage, because the runner in front of it
    /// does.
    public Model uncounted() {
      return new Model(url, headers, allow, maxRequests, null, allow);
    }

    /// The same model behind a proxy at another URL, which adds the headers with the key.
    public Model at(String other) {
      return new Model(other, Map.of(), allow, maxRequests, dialect, counted);
    }

    public Model filled(Map<String, String> values) throws TurnFailed {
      Map<String, String> filled = new LinkedHashMap<>();
      for (Map.Entry<String, String> header : headers.entrySet()) {
        filled.put(header.getKey(), new CatalogueTemplate(header.getValue()).fill(values));
      }
      return new Model(
          new CatalogueTemplate(url).fill(values), filled, allow, maxRequests, dialect, counted);
    }
  }

  /// Extra arguments of the command once the agent's HOME has a file that matches `when`.
  public record Resume(String when, List<String> arguments) {}

  /// The way to stop an agent: a signal, the processes that get it, and the grace period before
  /// they are killed.
  public record Interrupt(Signal signal, @Nullable To to, @Nullable Double graceSeconds) {
    /// The receivers of the signal: the command's own process, or all its descendants as well, as
    /// with Ctrl-C in a terminal.
    public enum To {
      PROCESS,
      TREE
    }

    public Interrupt {
      signal = requireNonNullElse(signal, Signal.INT);
    }

    /// Sends the signal.
    public void send(ProcessHandle agent) {
      signal.send(agent);
      if (to == To.TREE) {
        // A loop, because the first use of a lambda loads classes and would delay the signal by
        // some milliseconds.
        for (ProcessHandle child : agent.descendants().toList()) {
          signal.send(child);
        }
      }
    }

    public Duration grace() {
      return Duration.ofMillis((long) (1000 * requireNonNullElse(graceSeconds, 1.0)));
    }
  }
}
