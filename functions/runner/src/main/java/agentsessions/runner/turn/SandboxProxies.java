package agentsessions.runner.turn;

import agentsessions.runner.agent.AgentEntry;
import agentsessions.runner.agent.Event;
import agentsessions.runner.agent.NetworkAccess;
import agentsessions.runner.agent.TurnFailed;
import agentsessions.runner.control.Claim;
import agentsessions.runner.network.connection.PortForward;
import agentsessions.runner.network.host.HostProxy;
import agentsessions.runner.network.host.HostRefusals;
import agentsessions.runner.network.model.ModelProxy;
import agentsessions.runner.network.model.ModelResponses;
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
/// @param hosts the proxy to hosts that the operator allows
record SandboxProxies(Optional<ModelProxy> model, Optional<HostProxy> hosts)
    implements AutoCloseable {

  /// Opens the proxies that the agent's entry and the operator allow.
  static SandboxProxies of(
      Machine machine, Claim claim, Sandbox sandbox, ModelResponses responses, EventFeed feed)
      throws TurnFailed, IOException {
    SandboxProxies hosts = toHosts(machine, claim, sandbox, feed);
    AgentEntry.Model model = claim.agent().model();
    if (!claim.agent().network().model() || model == null) {
      return hosts;
    }
    try {
      AgentEntry.Model filled = machine.model(model, claim);
      return new SandboxProxies(Optional.of(sandbox.proxy(filled, responses)), hosts.hosts());
    } catch (TurnFailed | IOException failed) {
      hosts.close();
      throw failed;
    }
  }

  /// The same without the proxy to the model.
  static SandboxProxies toHosts(Machine machine, Claim claim, Sandbox sandbox, EventFeed feed)
      throws IOException {
    NetworkAccess network = machine.network(claim.agent());
    if (network.machine() || network.hosts().isEmpty()) {
      return new SandboxProxies(Optional.empty(), Optional.empty());
    }
    HostRefusals refusals = new HostRefusals(sentence -> feed.note(Event.message(sentence)));
    return new SandboxProxies(
        Optional.empty(), sandbox.hosts(network.hosts(), machine.addresses(claim), refusals));
  }

  /// The port forwards from a sandbox without a network to the proxies.
  List<PortForward> portForwards() {
    return Stream.concat(
            model.flatMap(ModelProxy::portForward).stream(),
            hosts.map(HostProxy::portForward).stream())
        .toList();
  }

  /// The environment variables with the model's address.
  Map<String, String> variables() {
    Map<String, String> variables = new LinkedHashMap<>();
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
  }
}
