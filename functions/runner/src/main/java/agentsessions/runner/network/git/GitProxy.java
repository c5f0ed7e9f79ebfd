package agentsessions.runner.network.git;

import agentsessions.runner.network.connection.Addresses;
import agentsessions.runner.network.connection.Listener;
import agentsessions.runner.network.connection.LoopbackSecret;
import agentsessions.runner.network.connection.PortForward;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.handler.SizeLimitHandler;

/// The proxy from a sandbox to the hosts of its repositories, by git's own protocol: it reaches
/// these repositories and nothing else, and its credentials never enter the sandbox. Pushes are
/// checked; bytes in both directions and connections are limited.
public final class GitProxy implements AutoCloseable {
  /// The port of the sandbox's loopback at which git finds the proxy. Clones remember it.
  public static final int PORT = 18081;

  private static final int CONNECTIONS = 32;

  /// The idle timeout of both sides. There is no other: a large repository may take hours, as long
  /// as bytes move.
  private static final Duration SILENCE = Duration.ofMinutes(5);

  private final GitGate gate;
  private final Listener listener;
  private final Optional<String> secret;
  private final GitFailures failures;

  private GitProxy(GitGate gate, Listener listener, Optional<String> secret, GitFailures failures) {
    this.gate = gate;
    this.listener = listener;
    this.secret = secret;
    this.failures = failures;
  }

  /// A proxy behind a Unix socket, for a sandbox without a network.
  public static GitProxy onSocket(List<GitRemote> remotes, Addresses addresses) throws IOException {
    GitFailures failures = new GitFailures(SILENCE);
    GitGate gate = new GitGate(remotes, addresses, "", SILENCE, failures);
    return new GitProxy(
        gate,
        Listener.onSocket("git", bounded(gate), new GitErrorResponses(), bounds(SILENCE)),
        Optional.empty(),
        failures);
  }

  /// A proxy on a free port of loopback, for callers that know its secret.
  public static GitProxy onLoopback(List<GitRemote> remotes, Addresses addresses)
      throws IOException {
    return onLoopback(remotes, addresses, SILENCE);
  }

  static GitProxy onLoopback(List<GitRemote> remotes, Addresses addresses, Duration silence)
      throws IOException {
    String secret = LoopbackSecret.random();
    GitFailures failures = new GitFailures(silence);
    GitGate gate = new GitGate(remotes, addresses, "/" + secret, silence, failures);
    return new GitProxy(
        gate,
        Listener.onLoopback("git", bounded(gate), new GitErrorResponses(), bounds(silence)),
        Optional.of(secret),
        failures);
  }

  /// The current refs of a repository's host, as far as they matter to a branch.
  ///
  /// @throws IOException if the host does not give them
  public RefAdvertisement refs(GitRemote remote, String branch) throws IOException {
    return gate.refs(remote, branch);
  }

  /// The port forward from a sandbox without a network to this proxy; empty for a proxy on
  /// loopback.
  public Optional<PortForward> portForward() {
    return secret.isEmpty()
        ? Optional.of(new PortForward(PORT, listener.socket()))
        : Optional.empty();
  }

  public Path socket() {
    return listener.socket();
  }

  /// The URL of a repository inside the sandbox; the same in all turns.
  public static String url(GitRemote remote) {
    return sandboxUrl() + remote.path();
  }

  /// The beginning of all such URLs.
  public static String sandboxUrl() {
    return "http://127.0.0.1:" + PORT;
  }

  /// The real beginning of the URLs, where the proxy is on a free port of loopback.
  public Optional<String> loopbackUrl() {
    return secret.map(word -> "http://127.0.0.1:%d/%s".formatted(listener.port(PORT), word));
  }

  /// The reasons why connections to hosts were cut since the last call, in sentences.
  public List<String> takeCuts() {
    return failures.take();
  }

  @Override
  public void close() {
    listener.close();
  }

  private static Listener.Bounds bounds(Duration silence) {
    return new Listener.Bounds(CONNECTIONS, silence);
  }

  private static Handler bounded(Handler handler) {
    SizeLimitHandler bodies =
        new SizeLimitHandler(GitFailures.MOST_TO_HOST, GitFailures.MOST_TO_GIT);
    bodies.setHandler(handler);
    return bodies;
  }
}
