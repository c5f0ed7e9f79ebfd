package agentsessions.runner.agent.tool;

import agentsessions.wire.Work;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The rules by which a session's tool calls are allowed or denied. The first rule that fits a call
/// holds, else the default.
public record PermissionRules(boolean allowedByDefault, List<Rule> rules) {

  /// A rule; what it does not name fits any call.
  private record Rule(
      @Nullable String kind, @Nullable Wildcard tool, @Nullable Wildcard match, boolean allows) {

    boolean fits(String ofKind, AgentToolCall call) {
      return (kind == null || kind.equals(ofKind))
          && (tool == null || tool.matches(call.name()))
          && (match == null || match.matches(call.canonicalInput()));
    }
  }

  /// A policy that is not known here denies, so that a newer service's rule is never weaker.
  public static PermissionRules of(Work.Permissions permissions) {
    return new PermissionRules(
        permissions.byDefault().equals(Work.Permissions.ALLOW),
        permissions.rules().stream()
            .map(rule ->
                new Rule(
                    rule.kind(),
                    wildcard(rule.tool()),
                    wildcard(rule.match()),
                    rule.policy().equals(Work.Permissions.ALLOW)))
            .toList());
  }

  private static @Nullable Wildcard wildcard(@Nullable String pattern) {
    return pattern == null ? null : Wildcard.of(pattern);
  }

  /// Judges a call. One that is of several kinds, such as a patch that edits one file and deletes
  /// another, must be allowed as each.
  public Verdict judge(Collection<String> kinds, AgentToolCall call) {
    return kinds.stream()
        .map(kind -> judge(kind, call))
        .filter(verdict -> !verdict.allowed())
        .findFirst()
        .orElse(Verdict.ALLOWED);
  }

  private Verdict judge(String kind, AgentToolCall call) {
    Optional<Rule> holds = rules.stream().filter(rule -> rule.fits(kind, call)).findFirst();
    if (holds.map(Rule::allows).orElse(allowedByDefault)) {
      return Verdict.ALLOWED;
    }
    return Verdict.denied(
        "The permissions of this session do not allow this call of %s (%s)."
            .formatted(
                call.name(),
                holds
                    .map(rule -> "rule %d, kind %s".formatted(rules.indexOf(rule) + 1, kind))
                    .orElse("the default, kind " + kind)));
  }
}
