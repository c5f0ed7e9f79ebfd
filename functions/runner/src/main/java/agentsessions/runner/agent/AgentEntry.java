package agentsessions.runner.agent;

import static java.util.Objects.requireNonNullElse;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// How an agent is run: its entry of the catalogue `infra/agents.yaml`, whose schema describes each
/// field. What an entry leaves out is filled in here.
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
    Network network,
    @Nullable Model model,
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
    network = requireNonNullElse(network, Network.NONE);
    isolation = requireNonNullElse(isolation, Isolation.SANDBOX);
  }

  public Duration timeLimit() {
    return Duration.ofSeconds(timeLimitSeconds);
  }

  /// Whether all of standard output is one JSON value.
  public boolean readsJson() {
    return reply.from() == TextRule.From.JSON
        || (error != null && error.from() == TextRule.From.JSON);
  }

  /// Whether standard output is a line of JSON after another.
  public boolean printsJsonLines() {
    return events.stream().anyMatch(rule -> rule.type() != EventRule.Kind.OUTPUT)
        || reply.readsLines()
        || (error != null && error.readsLines());
  }

  /// Whether what it prints is shown while it runs.
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

  /// The model behind the network `MODEL`, and what each request to it gets.
  ///
  /// @param allow the requests an agent may make, as {@link AllowedRequest} reads them; none given:
  ///   any path, to read or to ask
  /// @param maxRequests how many a turn may make
  /// @param dialect how the model says what it used; nothing is counted without it
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

    /// The dialect in which the answer will say what a request used; nothing for one that is free.
    public Optional<Dialect> counts(String method, String path) {
      return Optional.ofNullable(dialect).filter(_ -> isAmong(counted, method, path));
    }

    private static boolean isAmong(List<String> requests, String method, String path) {
      return requests.stream().map(AllowedRequest::of).anyMatch(each -> each.is(method, path));
    }

    /// The same for a proxy that another counts for.
    public Model uncounted() {
      return new Model(url, headers, allow, maxRequests, null, allow);
    }

    /// The same model by way of one that has its key.
    public Model at(String other) {
      return new Model(other, Map.of(), allow, maxRequests, dialect, counted);
    }

    public Model filled(Map<String, String> values) throws TurnFailed {
      Map<String, String> filled = new LinkedHashMap<>();
      for (Map.Entry<String, String> header : headers.entrySet()) {
        filled.put(header.getKey(), new Template(header.getValue()).fill(values));
      }
      return new Model(
          new Template(url).fill(values), filled, allow, maxRequests, dialect, counted);
    }
  }

  /// Arguments for a HOME that already has a file matching `when`.
  public record Resume(String when, List<String> arguments) {}

  /// How to stop the agent: a signal, whom it goes to, and the time they have to end by themselves.
  public record Interrupt(Signal signal, @Nullable To to, @Nullable Double graceSeconds) {
    /// The command's own process, or also all that it has started, as a terminal does it.
    public enum To {
      PROCESS,
      TREE
    }

    public Interrupt {
      signal = requireNonNullElse(signal, Signal.INT);
    }

    /// Sends it to the agent.
    public void send(ProcessHandle agent) {
      signal.send(agent);
      if (to == To.TREE) {
        // Where all is loaded at the first use, a loop is some milliseconds sooner than a lambda.
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
