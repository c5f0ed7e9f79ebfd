package agentsessions.runner;

import agentsessions.runner.protocol.Claim;
import agentsessions.runner.protocol.Control;
import agentsessions.runner.protocol.Refused;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps a claimed turn's lease and finds out when the turn is not ours any more: because the
/// service says so, or because it could not be reached for so long that another may soon have the
/// sandbox.
final class Watch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Watch.class);

  private final Control control;
  private final Claim claim;
  private final CompletableFuture<Void> lost = new CompletableFuture<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread checks;
  private final Thread renewals;
  private volatile long renewedAt = System.nanoTime();

  Watch(Control control, Claim claim) {
    this.control = control;
    this.claim = claim;
    this.checks = every(Duration.ofMillis(claim.checkMillis()), this::check);
    this.renewals = every(Duration.ofSeconds(claim.renewSeconds()), this::renew);
  }

  boolean isLive() {
    return !lost.isDone();
  }

  /// Runs `action` once the turn is not live any more; at once if it is not already.
  void onLost(Runnable action) {
    CompletableFuture<Void> _ = lost.thenRun(action);
  }

  @Override
  public void close() {
    closed.countDown();
    checks.interrupt();
    renewals.interrupt();
  }

  private void check() throws IOException {
    if (isLive() && !control.isLive()) {
      lost.complete(null);
    }
  }

  /// Goes on also when the turn is lost: until its release the sandbox is ours.
  private void renew() throws IOException {
    if (!control.renew()) {
      lost.complete(null);
    }
    renewedAt = System.nanoTime();
  }

  private Thread every(Duration pause, Call call) {
    return Thread.ofVirtual().start(() -> repeat(pause, call));
  }

  private void repeat(Duration pause, Call call) {
    try {
      while (!closed.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
        attempt(call);
      }
    } catch (InterruptedException cutShort) {
      Thread.currentThread().interrupt();
    }
  }

  private void attempt(Call call) {
    try {
      call.make();
    } catch (Refused refused) {
      LOG.debug("{} {}", claim, refused.getMessage());
      if (refused.isFinal()) {
        lost.complete(null);
      }
    } catch (IOException unreachable) {
      LOG.debug("{} {}", claim, unreachable.getMessage());
    }
    if (System.nanoTime() - renewedAt > patience().toNanos()) {
      lost.complete(null);
    }
  }

  /// The lease is three renewals long; the rest is for stopping the agent.
  private Duration patience() {
    return Duration.ofSeconds(claim.renewSeconds()).multipliedBy(5).dividedBy(2);
  }

  private interface Call {
    void make() throws IOException;
  }
}
