package agentsessions.runner.network.host;

import agentsessions.runner.agent.HostRule;
import agentsessions.runner.network.connection.Addresses;
import agentsessions.runner.network.connection.JsonErrorResponses;
import agentsessions.runner.network.connection.Listener;
import agentsessions.runner.network.connection.PortForward;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// The HTTPS proxy of an agent to the hosts that its operator and its session allow; programs find
/// its URL in the environment. Names are resolved here, since a sandbox without a network has no
/// resolver.
public final class HostProxy implements AutoCloseable {
  private static final Duration REQUEST_TIME = Duration.ofSeconds(30);
  private static final int MOST_WAITING = 16;

  private final Listener listener;
  private final int port;

  private HostProxy(Listener listener, int port) {
    this.listener = listener;
    this.port = port;
  }

  /// A proxy behind a Unix socket.
  ///
  /// @param rules the operator's
  /// @param judge asked about those that the operator allows
  /// @param port of the sandbox's loopback that is forwarded to the socket
  public static HostProxy onSocket(
      List<HostRule> rules, HostJudge judge, Addresses addresses, HostRefusals refusals, int port)
      throws IOException {
    return onSocket(rules, judge, addresses, refusals, port, HostGate.Bounds.STANDARD);
  }

  static HostProxy onSocket(
      List<HostRule> rules,
      HostJudge judge,
      Addresses addresses,
      HostRefusals refusals,
      int port,
      HostGate.Bounds bounds)
      throws IOException {
    HostGate gate = new HostGate(rules, judge, addresses, refusals, bounds);
    // Room for further connections, so that some of those over the limit get a refusal in words.
    Listener.Bounds callers =
        new Listener.Bounds(bounds.connections() + MOST_WAITING, REQUEST_TIME);
    return new HostProxy(
        Listener.forTunnels("hosts", gate, new JsonErrorResponses(), callers), port);
  }

  /// The port forward from a sandbox without a network to this proxy.
  public PortForward portForward() {
    return new PortForward(port, listener.socket());
  }

  /// The proxy variables in the spellings that programs look for.
  public Map<String, String> variables() {
    String url = "http://127.0.0.1:" + port;
    Map<String, String> variables = new LinkedHashMap<>();
    Stream.of("HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy")
        .forEach(name -> variables.put(name, url));
    Stream.of("NO_PROXY", "no_proxy")
        .forEach(name -> variables.put(name, "127.0.0.1,localhost,::1"));
    variables.put("NODE_USE_ENV_PROXY", "1");
    return variables;
  }

  @Override
  public void close() {
    listener.close();
  }
}
