package agentsessions.runner.network.model;

import agentsessions.runner.agent.AgentEntry;
import agentsessions.runner.agent.Mask;
import agentsessions.runner.network.connection.JsonErrorResponses;
import agentsessions.runner.network.connection.Listener;
import agentsessions.runner.usage.ModelBudget;
import agentsessions.runner.usage.TurnUsage;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// The proxy to all models for a runner that holds no keys. It adds the keys and enforces the
/// allow-lists of the entries; usage is counted by the runner.
public final class KeyProxy implements AutoCloseable {
  private final Listener listener;

  private KeyProxy(Listener listener) {
    this.listener = listener;
  }

  /// Opens the proxy.
  ///
  /// @param port of loopback; 0: any that is free
  /// @param secret that each path must begin with
  /// @param models by the agent's name, with their templates filled in
  public static KeyProxy open(int port, String secret, Map<String, AgentEntry.Model> models)
      throws IOException {
    ModelProxy.Bounds bounds = ModelProxy.Bounds.STANDARD;
    Map<String, ModelGate> gates =
        models.entrySet().stream()
            .collect(Collectors.toMap(Map.Entry::getKey, model -> gate(model.getValue(), bounds)));
    return new KeyProxy(
        Listener.onLoopback(
            port,
            "keys",
            ModelProxy.bounded(new KeyGate(secret, gates)),
            new JsonErrorResponses(),
            bounds.listener()));
  }

  public int port() {
    return listener.port(0);
  }

  @Override
  public void close() {
    listener.close();
  }

  private static ModelGate gate(AgentEntry.Model model, ModelProxy.Bounds bounds) {
    TurnUsage unused =
        new TurnUsage(Mask.NONE, ModelBudget.of(List.of(), List.of(), Long.MAX_VALUE));
    return new ModelGate(
        model.uncounted(), Optional.empty(), bounds.silence(), new ModelResponses(unused, _ -> {}));
  }
}
