package agentsessions.chat.conversation;

import agentsessions.chat.api.Api;
import agentsessions.chat.api.ApiModel.Agent;
import agentsessions.chat.api.ChatFailure;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The agent of sessions that are begun in a terminal: the named one, else the only one, else the
/// last one used, else the user's choice from a list.
public final class AgentChoice {
  private final Api api;
  private final LastAgent last;
  private final Consumer<String> say;
  private final Supplier<String> answer;
  private @Nullable String name;

  /// @param name the agent that the user has named; null: none
  /// @param say prints a line
  /// @param answer reads a line from the user
  public AgentChoice(
      Api api,
      @Nullable String name,
      LastAgent last,
      Consumer<String> say,
      Supplier<String> answer) {
    this.api = api;
    this.name = name;
    this.last = last;
    this.say = say;
    this.answer = answer;
  }

  /// The agent's name. The user is asked at most once.
  public String name() {
    String chosen = Objects.requireNonNullElseGet(name, () -> among(api.agents()));
    name = chosen;
    return chosen;
  }

  /// Remembers the agent as the last one used, after a session has begun with it.
  void used() {
    if (name != null) {
      last.keep(name);
    }
  }

  /// The choice without a terminal: the named agent, else the only one.
  ///
  /// @throws ChatFailure if no agent is named and there are several, or none
  public static String unasked(Api api, @Nullable String name) {
    return Objects.requireNonNullElseGet(name, () -> only(offered(api.agents())));
  }

  private static String only(List<Agent> offered) {
    if (offered.size() > 1) {
      String names = String.join(", ", offered.stream().map(Agent::name).toList());
      throw new ChatFailure("Choose an agent with --agent: " + names);
    }
    return offered.getFirst().name();
  }

  private static List<Agent> offered(List<Agent> agents) {
    if (agents.isEmpty()) {
      throw new ChatFailure("The service offers no agent: what scripts/start says tells why");
    }
    return agents;
  }

  private String among(List<Agent> agents) {
    if (offered(agents).size() == 1) {
      return agents.getFirst().name();
    }
    return last.read()
        .flatMap(name -> named(agents, name))
        .map(this::asLastTime)
        .orElseGet(() -> picked(agents));
  }

  private String asLastTime(String agent) {
    say.accept("Agent " + agent + ", as last time (--agent NAME chooses another).");
    return agent;
  }

  private String picked(List<Agent> agents) {
    for (int number = 1; number <= agents.size(); number++) {
      Agent each = agents.get(number - 1);
      String text = Objects.requireNonNullElse(each.description(), "");
      say.accept("%3d  %s  %s".formatted(number, each.name(), text));
    }
    while (true) {
      Optional<String> picked = understood(agents, answer.get().strip());
      if (picked.isPresent()) {
        say.accept("Agent " + picked.get() + ".");
        return picked.get();
      }
      say.accept("Type the number or the name of an agent.");
    }
  }

  private static Optional<String> understood(List<Agent> agents, String typed) {
    boolean isNumber = typed.matches("[1-9]\\d{0,3}") && Integer.parseInt(typed) <= agents.size();
    return isNumber
        ? Optional.of(agents.get(Integer.parseInt(typed) - 1).name())
        : named(agents, typed);
  }

  private static Optional<String> named(List<Agent> agents, String name) {
    return agents.stream().map(Agent::name).filter(name::equals).findFirst();
  }
}
