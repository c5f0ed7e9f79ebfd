package agentsessions.runner.turn;

import agentsessions.rule.TurnErrorCode;
import agentsessions.runner.agent.AgentEntry;
import agentsessions.runner.agent.Event;
import agentsessions.runner.agent.NetworkAccess;
import agentsessions.runner.agent.TurnFailed;
import agentsessions.runner.agent.tool.ToolJudge;
import agentsessions.runner.control.Claim;
import agentsessions.runner.network.connection.PortForward;
import agentsessions.runner.network.host.HostJudge;
import agentsessions.runner.network.host.HostProxy;
import agentsessions.runner.network.host.HostRefusals;
import agentsessions.runner.network.model.ModelProxy;
import agentsessions.runner.network.model.ModelResponses;
import agentsessions.runner.network.tool.ToolGate;
import agentsessions.runner.sandbox.Sandbox;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// The proxies of one command in a sandbox, which are closed with it.
///
/// @param model the proxy to the entry's model
/// @param hosts the proxy to hosts that the operator and the session allow
/// @param gate the gate in front of the agent's tools
record SandboxProxies(
    Optional<ModelProxy> model, Optional<HostProxy> hosts, Optional<ToolGate> gate)
    implements AutoCloseable {

  /// Opens the proxies that the agent's entry and the operator allow, and the gate, if there is a
  /// judge of its tools.
  ///
  /// @param hosts the judge of its connections
  static SandboxProxies of(
      Machine machine,
      Claim claim,
      Sandbox sandbox,
      ModelResponses responses,
      EventFeed feed,
      HostJudge hosts,
      Optional<ToolJudge> tools)
      throws TurnFailed, IOException {
    Optional<HostProxy> toHosts = hosts(machine, claim, sandbox, feed, hosts);
    Optional<ToolGate> gate = Optional.empty();
    try {
      gate = tools.isPresent() ? Optional.of(gate(sandbox, tools.get())) : gate;
      return new SandboxProxies(model(machine, claim, sandbox, responses), toHosts, gate);
    } catch (TurnFailed | IOException failed) {
      new SandboxProxies(Optional.empty(), toHosts, gate).close();
      throw failed;
    }
  }

  private static Optional<ModelProxy> model(
      Machine machine, Claim claim, Sandbox sandbox, ModelResponses responses)
      throws TurnFailed, IOException {
    AgentEntry.Model model = claim.agent().model();
    return claim.agent().network().model() && model != null
        ? Optional.of(sandbox.proxy(machine.model(model, claim), responses))
        : Optional.empty();
  }

  private static ToolGate gate(Sandbox sandbox, ToolJudge judge) throws TurnFailed, IOException {
    return sandbox
        .gate(judge)
        .orElseThrow(() ->
            new TurnFailed(
                TurnErrorCode.AGENT_NOT_AVAILABLE,
                "The session has permissions, to which an agent is held in a sandbox or a container"
                    + " only, and this machine has none."));
  }

  /// The proxy to hosts alone.
  static SandboxProxies toHosts(
      Machine machine, Claim claim, Sandbox sandbox, EventFeed feed, HostJudge hosts)
      throws IOException {
    return new SandboxProxies(
        Optional.empty(), hosts(machine, claim, sandbox, feed, hosts), Optional.empty());
  }

  private static Optional<HostProxy> hosts(
      Machine machine, Claim claim, Sandbox sandbox, EventFeed feed, HostJudge judge)
      throws IOException {
    NetworkAccess network = machine.network(claim.agent());
    if (network.unrestricted() || network.hosts().isEmpty()) {
      return Optional.empty();
    }
    HostRefusals refusals = new HostRefusals(sentence -> feed.note(Event.message(sentence)));
    return sandbox.hosts(network.hosts(), judge, machine.addresses(claim), refusals);
  }

  /// The port forwards from a sandbox without a network to the proxies.
  List<PortForward> portForwards() {
    return Stream.of(
            model.flatMap(ModelProxy::portForward),
            hosts.map(HostProxy::portForward),
            gate.flatMap(ToolGate::portForward))
        .flatMap(Optional::stream)
        .toList();
  }

  /// The environment variables with the model's address, and with the command that asks the gate.
  Map<String, String> variables() {
    Map<String, String> variables = new LinkedHashMap<>();
    gate.ifPresent(way -> variables.put("AGENT_GATE", way.command()));
    model.ifPresent(way -> tell(variables, way));
    return variables;
  }

  /// Port and secret are also given separately, for agents that would show their URL to others as
  /// an argument.
  private static void tell(Map<String, String> variables, ModelProxy proxy) {
    String url = "http://127.0.0.1:" + proxy.port();
    variables.put("AGENT_MODEL_URL", proxy.secret().map(secret -> url + "/" + secret).orElse(url));
    variables.put("AGENT_MODEL_PORT", String.valueOf(proxy.port()));
    proxy.secret().ifPresent(secret -> variables.put("AGENT_MODEL_SECRET", secret));
  }

  @Override
  public void close() {
    model.ifPresent(ModelProxy::close);
    hosts.ifPresent(HostProxy::close);
    gate.ifPresent(ToolGate::close);
  }
}
