package agentsessions.session.input;

import agentsessions.session.id.Sha256;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The rules by which a session's calls of tools and connections are judged before they are made;
/// the first rule that fits holds.
///
/// @param byDefault the policy where no rule fits
/// @param asking how a person is asked, where a policy says so
public record ToolPermissions(Policy byDefault, List<Rule> rules, Asking asking) {
  /// The most rules.
  public static final int MOST = 50;

  /// How a person is asked.
  ///
  /// @param fourEyes whether neither the key that created the session nor the one that sent the
  ///   message may decide
  /// @param holdSeconds for which the agent waits for the decision, at most 900
  /// @param questions whether the agent may ask questions of its own
  /// @param plan whether a turn only plans, and another carries its plan out once that is allowed
  /// @param expiresInDays after which a request expires that nobody has decided on, if its turn can
  ///   be parked for it, or it is for a plan or a push, 1 to 30
  public record Asking(
      boolean fourEyes, int holdSeconds, boolean questions, boolean plan, int expiresInDays) {
    public static final Asking USUAL = new Asking(false, 60, false, false, 7);
  }

  public ToolPermissions {
    rules = List.copyOf(rules);
  }

  /// The verdict on a call.
  public enum Policy {
    ALLOW,
    ASK,
    DENY;

    /// The word of the API.
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// The effect of a tool, as its agent's entry in the catalogue says, or a connection.
  public enum Kind {
    READ,
    EDIT,
    DELETE,
    MOVE,
    SEARCH,
    EXECUTE,
    FETCH,
    OTHER,
    /// An edit of a file outside of the workspace, which is of the kinds above, too.
    EDIT_OUTSIDE,
    /// A connection of any program of the session to a host.
    HOST,
    /// A push to a repository of the session.
    PUSH;

    /// The word of the API.
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /// Whether it is judged where the agent cannot get around it.
    public boolean enforced() {
      return this == HOST || this == PUSH;
    }
  }

  /// A rule; what it does not name fits any call.
  ///
  /// @param tool a glob of the tool's name
  /// @param match a glob of the call's input, as canonical JSON; of a host, of its name, or of name
  ///   and port; of a push, of the repository's URL
  public record Rule(
      @Nullable Kind kind, @Nullable String tool, @Nullable String match, Policy policy) {
    private boolean isEnforced() {
      return kind != null && kind.enforced();
    }
  }

  /// Whether there is nothing to judge, and nobody to ask.
  public boolean allowAll() {
    return byDefault == Policy.ALLOW
        && !asking.questions()
        && !asking.plan()
        && rules.stream().allMatch(rule -> rule.policy() == Policy.ALLOW);
  }

  /// Whether anything is said of the agent's tools. Rules for hosts and pushes are held by the
  /// proxies to them, whatever the agent is.
  public boolean judgesTools() {
    return byDefault != Policy.ALLOW
        || asking.questions()
        || asking.plan()
        || rules.stream().anyMatch(rule -> rule.policy() != Policy.ALLOW && !rule.isEnforced());
  }

  /// Whether a person decides on pushes.
  public boolean asksAboutPushes() {
    return rules.stream().anyMatch(rule -> rule.kind() == Kind.PUSH && rule.policy() == Policy.ASK);
  }

  /// The name of exactly these rules: others have another.
  public String version() {
    Stream<@Nullable Object> parts =
        rules.stream()
            .flatMap(rule -> Stream.of(rule.kind(), rule.tool(), rule.match(), rule.policy()));
    return Sha256.hex(
        byDefault
            + parts.map(ToolPermissions::delimited).collect(Collectors.joining())
            + (asking.equals(Asking.USUAL) ? "" : asking));
  }

  private static String delimited(@Nullable Object part) {
    return part == null ? "\n-" : "\n%d:%s".formatted(part.toString().length(), part);
  }
}
