package agentsessions.runner.network.model;

import agentsessions.runner.agent.AgentEntry;
import agentsessions.runner.network.way.Listener;
import agentsessions.runner.network.way.Way;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.handler.SizeLimitHandler;

/// One agent's way to its model: everything it sends there goes to its entry's model and nowhere
/// else, below the path of the model's URL, with the entry's headers. So the key never comes to the
/// agent. What it can make this process hold is bounded, and gone when the proxy is closed.
///
/// Why: decision 012.
public final class ModelProxy implements AutoCloseable {
  /// The header in which an agent that cannot keep its URL to itself may send the secret instead.
  static final String SECRET = "agent-model-secret";

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final long BODY_BYTES = 64L * 1024 * 1024;

  private final Listener listener;
  private final int port;
  private final Optional<String> secret;

  /// @param connections how many an agent may have at once; the next is closed at once
  /// @param idle how long a request may pause before it is complete, and a connection be unused
  /// @param silence how long a model may think without a word
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
  /// @param port of loopback, where the agent finds what leads to the socket
  public static ModelProxy onSocket(AgentEntry.Model model, int port, ModelAnswers answers)
      throws IOException {
    return onSocket(model, port, answers, Bounds.STANDARD);
  }

  static ModelProxy onSocket(AgentEntry.Model model, int port, ModelAnswers answers, Bounds bounds)
      throws IOException {
    Handler gate = bounded(new ModelGate(model, Optional.empty(), bounds.silence(), answers));
    Listener listener = Listener.onSocket("model", gate, new ModelErrors(), bounds.listener());
    return new ModelProxy(listener, port, Optional.empty());
  }

  /// A proxy on a free port of loopback, where others could come, too: for callers that know its
  /// secret only.
  ///
  /// @param model with all names filled in
  public static ModelProxy onLoopback(AgentEntry.Model model, ModelAnswers answers)
      throws IOException {
    Bounds bounds = Bounds.STANDARD;
    Optional<String> secret = Optional.of(newSecret());
    Handler gate = bounded(new ModelGate(model, secret, bounds.silence(), answers));
    Listener listener = Listener.onLoopback("model", gate, new ModelErrors(), bounds.listener());
    return new ModelProxy(listener, 0, secret);
  }

  /// How a sandbox without a network comes here; nothing for a proxy on loopback.
  public Optional<Way> way() {
    return secret.isEmpty() ? Optional.of(new Way(port, socket())) : Optional.empty();
  }

  public Path socket() {
    return listener.socket();
  }

  /// The port of loopback at which the agent finds its model.
  public int port() {
    return listener.port(port);
  }

  /// What the agent must know besides; nothing where nobody else can come.
  public Optional<String> secret() {
    return secret;
  }

  @Override
  public void close() {
    listener.close();
  }

  static Handler bounded(Handler gate) {
    SizeLimitHandler bodies = new SizeLimitHandler(BODY_BYTES, -1);
    bodies.setHandler(gate);
    return bodies;
  }

  /// A word that nobody guesses.
  public static String newSecret() {
    byte[] bytes = new byte[16];
    RANDOM.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }
}
