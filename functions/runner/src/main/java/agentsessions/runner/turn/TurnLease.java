package agentsessions.runner.turn;

import agentsessions.runner.control.CallRefused;
import agentsessions.runner.control.Claim;
import agentsessions.runner.control.ServiceClient;
import agentsessions.runner.usage.TurnUsage;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The lease of a claimed turn: renews it, and finds out when the turn is lost, because the service
/// says so, or because the service was unreachable for so long that another runner may soon have
/// the sandbox.
final class TurnLease implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TurnLease.class);

  private final ServiceClient service;
  private final Claim claim;
  private final TurnUsage usage;
  private final CompletableFuture<Void> lost = new CompletableFuture<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread checks;
  private final Thread renewals;
  private volatile long renewedAt = System.nanoTime();
  private volatile boolean stopped;

  /// @param usage reported with each renewal
  TurnLease(ServiceClient service, Claim claim, TurnUsage usage) {
    this.service = service;
    this.claim = claim;
    this.usage = usage;
    // Threads of the system: a turn that keeps all carriers of virtual ones must cost no other turn
    // its lease.
    this.checks = Thread.ofPlatform().daemon().start(() -> repeat(this::check));
    this.renewals = Thread.ofPlatform().daemon().start(() -> repeat(this::renew));
  }

  boolean isLive() {
    return !lost.isDone();
  }

  /// Ends the turn, though it is still live, because this process has to end.
  void stop() {
    stopped = true;
    lost.complete(null);
  }

  boolean isStopped() {
    return stopped;
  }

  /// Runs `action` once the turn is lost; at once if it is lost already.
  void onLost(Runnable action) {
    CompletableFuture<Void> _ = lost.thenRun(action);
  }

  @Override
  public void close() {
    closed.countDown();
    checks.interrupt();
    renewals.interrupt();
  }

  /// With long polling one question is always open, the first from the beginning. An early or
  /// failed response does not bring the next question sooner.
  private void check() throws InterruptedException {
    Duration wait = Duration.ofSeconds(claim.turn().waitSeconds());
    long pause = Duration.ofMillis(claim.turn().checkMillis()).toNanos();
    long next = System.nanoTime() + (wait.isZero() ? pause : 0);
    while (isLive() && !isClosed(next - System.nanoTime())) {
      next = System.nanoTime() + pause;
      attempt(() -> ask(wait));
    }
  }

  private void ask(Duration wait) throws IOException {
    if (!service.isLive(wait)) {
      lost.complete(null);
    }
  }

  /// Renews also after the turn is lost: the runner holds the sandbox until its release. One that
  /// fails or takes too long, as where a service's machine is busy, is soon followed by another, so
  /// that no single one decides: there is time for two within the grace period.
  private void renew() throws InterruptedException {
    Duration interval = Duration.ofSeconds(claim.turn().renewSeconds());
    Duration most = interval.multipliedBy(2).dividedBy(3);
    Duration next = interval;
    while (!isClosed(next.toNanos())) {
      long before = renewedAt;
      attempt(() -> {
        if (!service.renew(usage.report(), most)) {
          lost.complete(null);
        }
        renewedAt = System.nanoTime();
      });
      next = renewedAt == before ? interval.dividedBy(15) : interval;
    }
  }

  private boolean isClosed(long nanos) throws InterruptedException {
    return closed.await(nanos, TimeUnit.NANOSECONDS);
  }

  private static void repeat(Rounds rounds) {
    try {
      rounds.run();
    } catch (InterruptedException cutShort) {
      Thread.currentThread().interrupt();
    }
  }

  private void attempt(Call call) {
    try {
      call.make();
    } catch (CallRefused refused) {
      LOG.debug("{} {}", claim, refused.getMessage());
      if (refused.isFinal()) {
        lost.complete(null);
      }
    } catch (IOException unreachable) {
      LOG.debug("{} {}", claim, unreachable.getMessage());
    }
    Duration silence = Duration.ofNanos(System.nanoTime() - renewedAt);
    if (silence.compareTo(gracePeriod()) > 0 && lost.complete(null)) {
      LOG.warn("{} is given up: its lease was not renewed for {} s", claim, silence.toSeconds());
    }
  }

  /// The lease lasts three renewal intervals; the last half interval is for stopping the agent.
  private Duration gracePeriod() {
    return Duration.ofSeconds(claim.turn().renewSeconds()).multipliedBy(5).dividedBy(2);
  }

  private interface Call {
    void make() throws IOException;
  }

  private interface Rounds {
    void run() throws InterruptedException;
  }
}
