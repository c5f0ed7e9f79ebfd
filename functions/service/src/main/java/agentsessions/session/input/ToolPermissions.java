package agentsessions.session.input;

import agentsessions.session.id.Sha256;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The rules by which a session's calls of tools are judged before they run; the first rule that
/// fits a call holds.
///
/// @param byDefault the policy where no rule fits
public record ToolPermissions(Policy byDefault, List<Rule> rules) {
  /// The most rules.
  public static final int MOST = 50;

  public ToolPermissions {
    rules = List.copyOf(rules);
  }

  /// The verdict on a call.
  public enum Policy {
    ALLOW,
    DENY
  }

  /// The effect of a tool, as its agent's entry in the catalogue says.
  public enum Kind {
    READ,
    EDIT,
    DELETE,
    MOVE,
    SEARCH,
    EXECUTE,
    FETCH,
    OTHER
  }

  /// A rule; what it does not name fits any call.
  ///
  /// @param tool a glob of the tool's name
  /// @param match a glob of the call's input, as canonical JSON
  public record Rule(
      @Nullable Kind kind, @Nullable String tool, @Nullable String match, Policy policy) {}

  /// Whether there is nothing to judge.
  public boolean allowAll() {
    return byDefault == Policy.ALLOW
        && rules.stream().allMatch(rule -> rule.policy() == Policy.ALLOW);
  }

  /// The name of exactly these rules: others have another.
  public String version() {
    Stream<@Nullable Object> parts =
        rules.stream()
            .flatMap(rule -> Stream.of(rule.kind(), rule.tool(), rule.match(), rule.policy()));
    return Sha256.hex(
        byDefault + parts.map(ToolPermissions::delimited).collect(Collectors.joining()));
  }

  private static String delimited(@Nullable Object part) {
    return part == null ? "\n-" : "\n%d:%s".formatted(part.toString().length(), part);
  }
}
