package agentsessions.runner.network.host;

import static java.util.concurrent.CompletableFuture.completedFuture;

import agentsessions.runner.agent.HostRule;
import agentsessions.runner.agent.tool.PermissionRules;
import agentsessions.runner.agent.tool.Verdict;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// The judge of the hosts that the programs of one turn connect to. A person is asked about a host
/// once, however many connections wait for it, and what comes of that holds for the whole turn.
///
/// Why: decision 037.
public final class HostJudge implements AutoCloseable {
  /// The most hosts that people are asked about in one turn, whose time stands still meanwhile.
  private static final int MOST = 20;

  private final PermissionRules permissions;
  private final HostConsent consent;
  private final Map<String, CompletableFuture<Verdict>> asked = new HashMap<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  public HostJudge(PermissionRules permissions, HostConsent consent) {
    this.permissions = permissions;
    this.consent = consent;
  }

  /// A person's consent to connections, for which a session's permissions ask.
  @FunctionalInterface
  public interface HostConsent {
    /// Returns when a person has decided, or nobody will.
    Verdict host(String name, int port) throws InterruptedException;
  }

  /// Judges a connection, at once or when a person has decided.
  public CompletableFuture<Verdict> judge(String host, int port) {
    String name = HostRule.name(host);
    PermissionRules.Ruling ruling = permissions.host(name, port);
    return switch (ruling.policy()) {
      case ALLOW -> completedFuture(Verdict.ALLOWED);
      case DENY -> completedFuture(denied(name, port, ruling.reason()));
      case ASK -> asked(name, port);
    };
  }

  private synchronized CompletableFuture<Verdict> asked(String name, int port) {
    String host = HostRule.text(name, port);
    if (!asked.containsKey(host) && asked.size() == MOST) {
      String tooMany = "A person is asked about %d hosts in a turn, and no more.".formatted(MOST);
      return completedFuture(denied(name, port, tooMany));
    }
    return asked.computeIfAbsent(
        host, _ -> CompletableFuture.supplyAsync(() -> consented(name, port), threads));
  }

  /// Whoever waits may go away meanwhile: it is asked to the end, so that its turn is not held for
  /// a request that nobody follows.
  private Verdict consented(String name, int port) {
    try {
      Verdict verdict = consent.host(name, port);
      return verdict.allowed() ? verdict : denied(name, port, verdict.text());
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
      return denied(name, port, "The turn has ended.");
    }
  }

  private static Verdict denied(String name, int port, String reason) {
    return Verdict.denied(
        "The agent may not reach %s. %s".formatted(HostRule.text(name, port), reason));
  }

  /// Ends what waits for a person.
  @Override
  public void close() {
    threads.shutdownNow();
  }
}
