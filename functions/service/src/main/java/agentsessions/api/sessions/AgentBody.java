package agentsessions.api.sessions;

import agentsessions.session.Agent;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An agent that sessions can be created with, as the API shows it.
@Serdeable
record AgentBody(
    String name,
    String description,
    List<String> models,
    @Nullable String defaultModel,
    String engine,
    Network network,
    Requests requests) {
  /// The network access of an agent: `none`, `model`, `hosts` or `open`. With `hosts`, those are
  /// all that it can reach beside its model.
  @Serdeable
  record Network(String mode, List<String> hosts) {
    static Network of(Agent.Network network) {
      return switch (network) {
        case Agent.Network.None _ -> new Network("none", List.of());
        case Agent.Network.Model _ -> new Network("model", List.of());
        case Agent.Network.Hosts(List<String> hosts) -> new Network("hosts", hosts);
        case Agent.Network.Open _ -> new Network("open", List.of());
      };
    }
  }

  /// The decisions that people can be asked for while an agent works.
  ///
  /// @param tools `exact` where the very call that waited runs, `reissued` where the agent makes it
  ///   anew, `false` where none can wait
  @Serdeable
  record Requests(JsonNode tools, boolean questions, boolean plan) {
    static Requests of(Agent agent) {
      return new Requests(tools(agent), agent.asksQuestions(), agent.plans());
    }

    private static JsonNode tools(Agent agent) {
      if (!agent.hasGate()) {
        return JsonNode.createBooleanNode(false);
      }
      return JsonNode.createStringNode(agent.reissuesCalls() ? "reissued" : "exact");
    }
  }

  /// @param isolation the mechanism that keeps an agent in its sandbox
  /// @param hosts the hosts that the operator allows every agent to reach
  static AgentBody of(Agent agent, String isolation, List<String> hosts) {
    boolean isConfined = isolation.equals("bubblewrap") && !agent.engine().hasTasks();
    return new AgentBody(
        agent.name(),
        agent.description(),
        agent.models(),
        agent.models().stream().findFirst().orElse(null),
        agent.engine().word(),
        Network.of(isConfined ? agent.network(hosts) : new Agent.Network.Open()),
        Requests.of(agent));
  }
}
