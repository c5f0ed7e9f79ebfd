package agentsessions.runner.network.model;

import agentsessions.runner.agent.AgentEntry;
import agentsessions.runner.network.connection.JsonErrorResponses;
import agentsessions.runner.network.connection.Listener;
import agentsessions.runner.network.connection.LoopbackSecret;
import agentsessions.runner.network.connection.PortForward;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.handler.SizeLimitHandler;

/// The proxy from one agent to its model. Every request goes to the model of the agent's entry and
/// nowhere else, below the path of the model's URL, with the entry's headers; so the key never
/// enters the sandbox. Its memory, connections and time are limited, and freed when it is closed.
///
/// Why: decision 012.
public final class ModelProxy implements AutoCloseable {
  /// The header for the secret, for agents that would show a URL with the secret to others.
  static final String SECRET = "agent-model-secret";

  private static final long BODY_BYTES = 64L * 1024 * 1024;

  private final Listener listener;
  private final int port;
  private final Optional<String> secret;

  /// @param connections the most of an agent at once; further ones are closed at once
  /// @param idle the timeout of an incomplete request and of an unused connection
  /// @param silence the idle timeout of the model
  record Bounds(int connections, Duration idle, Duration silence) {
    static final Bounds STANDARD = new Bounds(64, Duration.ofSeconds(30), Duration.ofMinutes(30));

    Listener.Bounds listener() {
      return new Listener.Bounds(connections, idle);
    }
  }

  private ModelProxy(Listener listener, int port, Optional<String> secret) {
    this.listener = listener;
    this.port = port;
    this.secret = secret;
  }

  /// A proxy behind a Unix socket.
  ///
  /// @param model with all names filled in
  /// @param port of the sandbox's loopback that is forwarded to the socket
  public static ModelProxy onSocket(AgentEntry.Model model, int port, ModelResponses responses)
      throws IOException {
    return onSocket(model, port, responses, Bounds.STANDARD);
  }

  static ModelProxy onSocket(
      AgentEntry.Model model, int port, ModelResponses responses, Bounds bounds)
      throws IOException {
    Handler handler = bounded(new ModelGate(model, Optional.empty(), bounds.silence(), responses));
    Listener listener =
        Listener.onSocket("model", handler, new JsonErrorResponses(), bounds.listener());
    return new ModelProxy(listener, port, Optional.empty());
  }

  /// A proxy on a free port of loopback, which other processes can reach as well: only for callers
  /// that know its secret.
  ///
  /// @param model with all names filled in
  public static ModelProxy onLoopback(AgentEntry.Model model, ModelResponses responses)
      throws IOException {
    Bounds bounds = Bounds.STANDARD;
    Optional<String> secret = Optional.of(LoopbackSecret.random());
    Handler handler = bounded(new ModelGate(model, secret, bounds.silence(), responses));
    Listener listener =
        Listener.onLoopback("model", handler, new JsonErrorResponses(), bounds.listener());
    return new ModelProxy(listener, 0, secret);
  }

  /// The port forward from a sandbox without a network to this proxy; empty for a proxy on
  /// loopback.
  public Optional<PortForward> portForward() {
    return secret.isEmpty() ? Optional.of(new PortForward(port, socket())) : Optional.empty();
  }

  public Path socket() {
    return listener.socket();
  }

  /// The port of loopback at which the agent finds its model.
  public int port() {
    return listener.port(port);
  }

  /// The secret that the agent's requests must carry; empty where no other process can reach the
  /// proxy.
  public Optional<String> secret() {
    return secret;
  }

  @Override
  public void close() {
    listener.close();
  }

  static Handler bounded(Handler handler) {
    SizeLimitHandler bodies = new SizeLimitHandler(BODY_BYTES, -1);
    bodies.setHandler(handler);
    return bodies;
  }
}
