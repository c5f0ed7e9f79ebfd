package agentsessions.api.sessions;

import agentsessions.api.request.BodyFields;
import agentsessions.session.Agent;
import agentsessions.session.input.ToolPermissions;
import agentsessions.session.input.ToolPermissions.Asking;
import agentsessions.session.input.ToolPermissions.Kind;
import agentsessions.session.input.ToolPermissions.Policy;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The reader of `permissions` in a request: the rules by which calls of tools are judged.
final class PermissionFields {
  static final String PERMISSIONS = "permissions";

  /// All that an object of permissions has.
  static final Set<String> NAMES =
      Set.of(
          "default", "rules", "plan", "questions", "four_eyes", "hold_seconds", "expires_in_days");

  /// Those that say how a person is asked, and not what about.
  private static final List<String> HOW = List.of("four_eyes", "hold_seconds", "expires_in_days");

  private static final int MOST_GLOB = 256;

  private static final int MOST_HOLD_SECONDS = 900;

  private static final int MOST_DAYS = 30;

  /// A host, or `host:port`, in which a star stands for any text. Hosts are compared without the
  /// dot of a fully qualified name, and ports as numbers: with such a dot, or a zero in front, a
  /// rule would fit nothing.
  private static final Pattern HOST =
      Pattern.compile("[A-Za-z0-9._*-]*[A-Za-z0-9_*-](:[1-9*][0-9*]*)?");

  private static final String LATER_KIND = "mcp";

  private static final String NO_HOST =
      "permissions.rules of kind host decide nothing: %s reaches %s unless the operator allows it";

  /// The permissions of a new session; none where everything is allowed. The agent is empty where
  /// none has the name.
  static @Nullable ToolPermissions ofSession(BodyFields body, Optional<Agent> agent) {
    Optional<ToolPermissions> given = read(body, Policy.ALLOW);
    if (given.isPresent() && agent.isPresent()) {
      refuseTooMuch(body, given.get(), agent, agent.get().name());
    }
    return given.orElse(null);
  }

  /// The change of a session's permissions: empty for no change, an empty value where everything is
  /// allowed.
  ///
  /// @param agentName empty where there is no such session
  /// @param agent empty where none has the name now
  /// @param before those that are replaced; empty for none
  static Optional<Optional<ToolPermissions>> changed(
      BodyFields body,
      Optional<String> agentName,
      Optional<Agent> agent,
      Optional<ToolPermissions> before) {
    if (!isNamed(body)) {
      return Optional.empty();
    }
    Policy replaced = before.map(ToolPermissions::byDefault).orElse(Policy.ALLOW);
    Optional<ToolPermissions> given = read(body, replaced);
    if (given.isPresent()) {
      agentName.ifPresent(name -> refuseTooMuch(body, given.get(), agent, name));
    }
    return Optional.of(given);
  }

  /// Whether a change names them, even as null.
  static boolean isNamed(BodyFields body) {
    return body.names(PERMISSIONS);
  }

  /// The warning for rules that decide nothing, since the agent has no way to any host.
  ///
  /// @param hosts that the operator allows to every agent
  static Optional<String> warning(
      @Nullable ToolPermissions permissions, Agent agent, List<String> hosts) {
    boolean judges =
        permissions != null
            && permissions.rules().stream().anyMatch(rule -> rule.kind() == Kind.HOST);
    return switch (agent.network(hosts)) {
      case Agent.Network.None _ when judges ->
          Optional.of(NO_HOST.formatted(agent.name(), "no host"));
      case Agent.Network.Model _ when judges ->
          Optional.of(NO_HOST.formatted(agent.name(), "its model and no other host"));
      default -> Optional.empty();
    };
  }

  /// Refuses what the agent cannot do.
  private static void refuseTooMuch(
      BodyFields body, ToolPermissions given, Optional<Agent> agent, String name) {
    if (agent.isEmpty() || (given.judgesTools() && !agent.get().hasGate())) {
      body.fault(
          PERMISSIONS,
          "must allow every tool: nothing judges the tools of %s before they run".formatted(name));
    } else if (given.asking().questions() && !agent.get().asksQuestions()) {
      body.fault(
          PERMISSIONS + ".questions",
          "must be refuse: nobody can answer the questions of %s".formatted(name));
    } else if (given.asking().plan() && !agent.get().plans()) {
      body.fault(
          PERMISSIONS + ".plan",
          "must be none: %s has no mode in which it only plans".formatted(name));
    } else if (given.rules().stream().anyMatch(rule -> rule.kind() == Kind.HOST)
        && agent.get().isOpen()) {
      body.fault(
          PERMISSIONS + ".rules",
          "must have none of kind host: nothing is between %s and the network".formatted(name));
    }
  }

  /// @param replaced the default that they replace
  private static Optional<ToolPermissions> read(BodyFields body, Policy replaced) {
    return body.object(PERMISSIONS, "{\"default\": \"deny\", \"rules\": [{\"kind\": \"read\", …}]}")
        .map(fields -> notLoosened(fields, replaced))
        .filter(permissions -> !permissions.allowAll());
  }

  /// Refuses what leaves out the default where that would loosen it unseen: beside how a person is
  /// asked, which says that somebody is, and in a change, which replaces all that there is.
  private static ToolPermissions notLoosened(BodyFields fields, Policy replaced) {
    ToolPermissions given = permissions(fields);
    if (fields.has("default")) {
      return given;
    }
    if (replaced != Policy.ALLOW) {
      fields.fault(
          "default",
          "is required: the session's is %s, and would be allow".formatted(replaced.word()));
    } else if (given.allowAll() && HOW.stream().anyMatch(fields::has)) {
      fields.fault(
          "default",
          "is required beside %s: without it everything is allowed"
              .formatted(String.join(", ", HOW)));
    }
    return given;
  }

  private static ToolPermissions permissions(BodyFields fields) {
    Policy byDefault = fields.oneOf("default", Policy.class).orElse(Policy.ALLOW);
    List<ToolPermissions.Rule> rules =
        fields
            .objects("rules", ToolPermissions.MOST, "{\"kind\": \"execute\", \"policy\": \"deny\"}")
            .stream()
            .map(PermissionFields::rule)
            .toList();
    return new ToolPermissions(byDefault, rules, asking(fields));
  }

  private static Asking asking(BodyFields fields) {
    boolean asks = fields.oneOf("questions", "refuse", "ask").filter("ask"::equals).isPresent();
    boolean plans = fields.oneOf("plan", "none", "approve").filter("approve"::equals).isPresent();
    return new Asking(
        fields.flag("four_eyes").orElse(Asking.USUAL.fourEyes()),
        fields.whole("hold_seconds", MOST_HOLD_SECONDS).orElse(Asking.USUAL.holdSeconds()),
        asks,
        plans,
        fields
            .whole("expires_in_days", 1, MOST_DAYS)
            .map(Long::intValue)
            .orElse(Asking.USUAL.expiresInDays()));
  }

  private static ToolPermissions.Rule rule(BodyFields fields) {
    @Nullable Kind kind = kind(fields).orElse(null);
    @Nullable String tool = glob(fields, "tool");
    @Nullable String match = glob(fields, "match");
    if (kind == Kind.HOST) {
      requireHost(fields, match);
    } else if (kind == Kind.PUSH) {
      fields.refuse("tool", "must be absent: a repository is named by match");
    }
    if (!fields.has("policy")) {
      fields.fault("policy", "is required");
    }
    // what is at fault is not kept, so any policy stands in for it
    return new ToolPermissions.Rule(
        kind, tool, match, fields.oneOf("policy", Policy.class).orElse(Policy.DENY));
  }

  private static void requireHost(BodyFields fields, @Nullable String match) {
    fields.refuse("tool", "must be absent: a host is named by match");
    if (match != null && !HOST.matcher(match).matches()) {
      fields.fault("match", "must be a host or host:port, such as *.example.org");
    }
  }

  private static Optional<Kind> kind(BodyFields fields) {
    if (fields.isText("kind", LATER_KIND)) {
      fields.fault(
          "kind",
          "cannot be %s: this version judges the agent's own tools, hosts and pushes"
              .formatted(LATER_KIND));
      return Optional.empty();
    }
    return fields.oneOf("kind", Kind.class);
  }

  private static @Nullable String glob(BodyFields fields, String field) {
    Optional<String> glob = fields.optional(field, MOST_GLOB);
    if (glob.filter(String::isEmpty).isPresent()) {
      fields.fault(field, "must not be empty");
    }
    return glob.orElse(null);
  }

  private PermissionFields() {}
}
