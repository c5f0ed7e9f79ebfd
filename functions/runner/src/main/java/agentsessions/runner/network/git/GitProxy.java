package agentsessions.runner.network.git;

import agentsessions.runner.network.model.ModelProxy;
import agentsessions.runner.network.way.Addresses;
import agentsessions.runner.network.way.Listener;
import agentsessions.runner.network.way.Way;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.handler.SizeLimitHandler;

/// A sandbox's way to the hosts of its repositories, by git's own protocol: to these repositories
/// and nothing else, with credentials that never come into the sandbox. What may be pushed is
/// looked at; how much goes either way, and how many connections there are, is bounded.
public final class GitProxy implements AutoCloseable {
  /// Where git finds it inside a sandbox, on loopback. Clones remember it.
  public static final int PORT = 18081;

  private static final int CONNECTIONS = 32;

  /// Of either side: a large repository may take hours, as long as something moves.
  private static final Duration SILENCE = Duration.ofMinutes(5);

  private final GitGate gate;
  private final Listener listener;
  private final Optional<String> secret;
  private final GitCuts cuts;

  private GitProxy(GitGate gate, Listener listener, Optional<String> secret, GitCuts cuts) {
    this.gate = gate;
    this.listener = listener;
    this.secret = secret;
    this.cuts = cuts;
  }

  /// Behind a Unix socket, for a sandbox without a network.
  public static GitProxy onSocket(List<GitRemote> remotes, Addresses addresses) throws IOException {
    GitCuts cuts = new GitCuts(SILENCE);
    GitGate gate = new GitGate(remotes, addresses, "", SILENCE, cuts);
    return new GitProxy(
        gate,
        Listener.onSocket("git", bounded(gate), new GitErrors(), bounds(SILENCE)),
        Optional.empty(),
        cuts);
  }

  /// On a free port of loopback, for callers that know its secret only.
  public static GitProxy onLoopback(List<GitRemote> remotes, Addresses addresses)
      throws IOException {
    return onLoopback(remotes, addresses, SILENCE);
  }

  static GitProxy onLoopback(List<GitRemote> remotes, Addresses addresses, Duration silence)
      throws IOException {
    String secret = ModelProxy.newSecret();
    GitCuts cuts = new GitCuts(silence);
    GitGate gate = new GitGate(remotes, addresses, "/" + secret, silence, cuts);
    return new GitProxy(
        gate,
        Listener.onLoopback("git", bounded(gate), new GitErrors(), bounds(silence)),
        Optional.of(secret),
        cuts);
  }

  /// What a repository's host says of a branch right now.
  ///
  /// @throws IOException if it does not say it
  public Advertisement refs(GitRemote remote, String branch) throws IOException {
    return gate.refs(remote, branch);
  }

  /// How a sandbox without a network comes here; nothing for a proxy on loopback.
  public Optional<Way> way() {
    return secret.isEmpty() ? Optional.of(new Way(PORT, listener.socket())) : Optional.empty();
  }

  public Path socket() {
    return listener.socket();
  }

  /// Where a repository is said to be; the same in all turns.
  public static String url(GitRemote remote) {
    return base() + remote.path();
  }

  /// What all these begin with.
  public static String base() {
    return "http://127.0.0.1:" + PORT;
  }

  /// Where they really are, if not there.
  public Optional<String> really() {
    return secret.map(word -> "http://127.0.0.1:%d/%s".formatted(listener.port(PORT), word));
  }

  /// Why exchanges with the hosts were cut since this was last asked, in sentences.
  public List<String> takeCuts() {
    return cuts.take();
  }

  @Override
  public void close() {
    listener.close();
  }

  private static Listener.Bounds bounds(Duration silence) {
    return new Listener.Bounds(CONNECTIONS, silence);
  }

  private static Handler bounded(Handler gate) {
    SizeLimitHandler bodies = new SizeLimitHandler(GitCuts.MOST_TO_HOST, GitCuts.MOST_TO_GIT);
    bodies.setHandler(gate);
    return bodies;
  }
}
