package agentsessions.runner.agent.tool;

import agentsessions.rule.Wildcard;
import agentsessions.wire.Work;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The rules by which a session's tool calls and connections are allowed, asked about or denied.
/// The first rule that fits holds, else the default.
public record PermissionRules(Policy byDefault, List<Rule> rules) {

  /// The kind of rules for hosts.
  public static final String HOST = "host";

  /// The kind of rules for pushes.
  public static final String PUSH = "push";

  /// The rules where everything is allowed.
  public static final PermissionRules ALL = new PermissionRules(Policy.ALLOW, List.of());

  /// What is done about a call, the strictest first.
  public enum Policy {
    DENY,
    ASK,
    ALLOW;

    /// A policy that is not known here denies, so that a newer service's rule is never weaker.
    private static Policy of(String word) {
      return switch (word) {
        case Work.Permissions.ALLOW -> ALLOW;
        case Work.Permissions.ASK -> ASK;
        default -> DENY;
      };
    }
  }

  /// The policy for a call.
  ///
  /// @param kind what the call does, for which this policy holds
  /// @param reason of a denial
  public record Ruling(Policy policy, String kind, String reason) {}

  /// A rule; what it does not name fits any call.
  ///
  /// @param repository what a rule for pushes matches, in place of `match`
  private record Rule(
      @Nullable String kind,
      @Nullable Wildcard tool,
      @Nullable Wildcard match,
      @Nullable RepositoryGlob repository,
      Policy policy) {

    boolean isEnforced() {
      return HOST.equals(kind) || PUSH.equals(kind);
    }

    boolean fits(String ofKind, AgentToolCall call) {
      return (kind == null || kind.equals(ofKind))
          && (tool == null || tool.matches(call.name()))
          && (match == null || match.matches(call.canonicalInput()));
    }

    /// A host fits by its name, or by name and port. A rule without a kind that names a tool or an
    /// input is meant for tools.
    boolean fits(String host, int port) {
      return HOST.equals(kind)
          ? match == null || match.matches(host) || match.matches(host + ":" + port)
          : kind == null && tool == null && match == null;
    }

    boolean fits(String url) {
      return PUSH.equals(kind) && (repository == null || repository.names(url));
    }
  }

  public static PermissionRules of(Work.Permissions permissions) {
    return new PermissionRules(
        Policy.of(permissions.byDefault()),
        permissions.rules().stream()
            .map(rule ->
                new Rule(
                    rule.kind(),
                    wildcard(rule.tool()),
                    wildcard(match(rule)),
                    repository(rule),
                    Policy.of(rule.policy())))
            .toList());
  }

  /// Names of hosts are compared in lower case.
  private static @Nullable String match(Work.Rule rule) {
    String match = rule.match();
    return match != null && HOST.equals(rule.kind()) ? match.toLowerCase(Locale.ROOT) : match;
  }

  private static @Nullable RepositoryGlob repository(Work.Rule rule) {
    String match = rule.match();
    return match != null && PUSH.equals(rule.kind()) ? RepositoryGlob.of(match) : null;
  }

  private static @Nullable Wildcard wildcard(@Nullable String pattern) {
    return pattern == null ? null : Wildcard.of(pattern);
  }

  /// Whether anything is said of the agent's tools. Rules for hosts and pushes are held by the
  /// proxies to them.
  public boolean judgesTools() {
    return byDefault != Policy.ALLOW || isAbout(rule -> !rule.isEnforced());
  }

  /// Whether a rule for hosts forbids any, or asks about it.
  public boolean judgesHosts() {
    return isAbout(rule -> HOST.equals(rule.kind()));
  }

  private boolean isAbout(Predicate<Rule> subject) {
    return rules.stream().filter(rule -> rule.policy() != Policy.ALLOW).anyMatch(subject);
  }

  /// Judges a call. For one that is of several kinds, such as a patch that edits one file and
  /// deletes another, the strictest policy holds, and of equal ones the first kind's.
  public Ruling judge(Collection<String> kinds, AgentToolCall call) {
    return kinds.stream()
        .map(kind -> judge(kind, call))
        .min(Comparator.comparing(Ruling::policy))
        .orElseThrow();
  }

  /// Judges a connection.
  ///
  /// @param name in lower case
  public Ruling host(String name, int port) {
    return first(HOST, rule -> rule.fits(name, port), "it");
  }

  /// Judges a push to a repository. It is what the client has asked for, so that only rules of this
  /// kind are about it.
  public Ruling push(String url) {
    return rules.stream()
        .filter(rule -> rule.fits(url))
        .findFirst()
        .map(rule ->
            new Ruling(
                rule.policy(), PUSH, reason(rule.policy()).formatted(rules.indexOf(rule) + 1)))
        .orElse(new Ruling(Policy.ALLOW, PUSH, ""));
  }

  private static String reason(Policy policy) {
    return policy == Policy.ASK
        ? "A person decides on the pushes of this session, after the turn (rule %d)."
        : "The permissions of this session do not allow a push (rule %d).";
  }

  private Ruling judge(String kind, AgentToolCall call) {
    return first(kind, rule -> rule.fits(kind, call), "this call of " + call.name());
  }

  private Ruling first(String kind, Predicate<Rule> fits, String what) {
    Optional<Rule> holds = rules.stream().filter(fits).findFirst();
    String by =
        holds
            .map(rule -> "rule %d, kind %s".formatted(rules.indexOf(rule) + 1, kind))
            .orElse("the default, kind " + kind);
    return new Ruling(
        holds.map(Rule::policy).orElse(byDefault),
        kind,
        "The permissions of this session do not allow %s (%s).".formatted(what, by));
  }
}
