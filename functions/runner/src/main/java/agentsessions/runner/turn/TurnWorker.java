package agentsessions.runner.turn;

import agentsessions.runner.agent.Mask;
import agentsessions.runner.control.CallRefused;
import agentsessions.runner.control.Claim;
import agentsessions.runner.control.Deadline;
import agentsessions.runner.control.ServiceClient;
import agentsessions.runner.sandbox.process.Pause;
import agentsessions.runner.usage.TurnUsage;
import agentsessions.wire.UsageReport;
import agentsessions.wire.Work;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The worker that runs the turns of one process, each from its claim to its release.
public final class TurnWorker {
  private static final Logger LOG = LoggerFactory.getLogger(TurnWorker.class);
  private static final Duration FOR_THE_SANDBOX = Duration.ofSeconds(60);
  private static final Duration FOR_RELEASE = Duration.ofSeconds(30);

  private final Machine machine;
  private final Duration idle;
  private final SessionLocks locks;
  private final AtomicReference<@Nullable String> session;
  private final Set<TurnLease> running = ConcurrentHashMap.newKeySet();
  private volatile boolean stopped;

  /// @param session the only session that is served, if it is known from the beginning
  /// @param idle how long to wait for a session's next turn; zero: not at all
  public TurnWorker(Machine machine, Optional<String> session, Duration idle) {
    this.machine = machine;
    this.idle = idle;
    this.locks = new SessionLocks(machine.folders().path().resolve(SessionLocks.FOLDER));
    this.session = new AtomicReference<>(session.orElse(null));
  }

  /// Runs one turn.
  ///
  /// @param time the deadline, after which the process may be ended
  /// @return the client that waits for the session's next turn; empty if none is to come here
  public Optional<ServiceClient> run(Invocation invocation, Deadline time) throws IOException {
    ServiceClient ticket = new ServiceClient(invocation.url(), invocation.ticket());
    requireOurs(invocation.sessionId(), ticket);
    machine.groups().expectEntry();
    Optional<Claim> claim = claim(ticket, invocation);
    if (claim.isEmpty()) {
      return Optional.empty();
    }
    if (!isOurs(claim.get().turn().sessionId())) {
      throw new OtherSession(new IOException("the ticket was another session's"));
    }
    session.set(claim.get().turn().sessionId());
    machine.groups().expectEntry(); // again, since the claim may have taken longer than a moment
    return run(new ServiceClient(invocation.url(), claim.get().turn().token()), claim.get(), time);
  }

  /// The number of turns that run now.
  public int running() {
    return running.size();
  }

  /// Stops the running turns, and those that start later: their agents are stopped, and their
  /// changes are saved.
  public void stop() {
    stopped = true;
    running.forEach(TurnLease::stop);
  }

  /// An agent may have changed this environment in ways that the runner cannot see, so it serves
  /// the same session only. Checked before the claim, so that a refused turn stays queued.
  private void requireOurs(String sessionId, ServiceClient ticket) {
    if (!isOurs(sessionId)) {
      refuse(ticket);
      throw new OtherSession(new IOException("this environment serves another session"));
    }
  }

  private boolean isOurs(String sessionId) {
    String served = session.get();
    return served == null || served.equals(sessionId) || machine.storage().staysOnMachine();
  }

  /// Refuses the turn at once; otherwise the service would notice only when no claim came in time.
  private static void refuse(ServiceClient ticket) {
    try {
      ticket.refuse();
    } catch (IOException failed) {
      LOG.warn("turn not refused: {}", failed.getMessage());
    }
  }

  /// The lease is renewed while this waits for an older turn, and the release comes last, unless it
  /// came with the result. Even then a next turn here waits until this one has let go of the
  /// session's lock.
  private Optional<ServiceClient> run(ServiceClient service, Claim claim, Deadline time)
      throws IOException {
    LOG.info("turn claimed {}", claim);
    boolean untouched = true;
    boolean released = false;
    Optional<ServiceClient> next = Optional.empty();
    Mask mask = mask(claim.turn().work());
    TurnUsage usage = usage(claim, mask);
    try (TurnLease lease = new TurnLease(service, claim, usage);
        Running _ = running(lease);
        SessionLocks.Hold _ = locks.hold(claim.turn().sessionId())) {
      if (lease.isLive()) {
        TurnRun turn = new TurnRun(machine, service, claim, lease, time, mask, usage);
        boolean saved;
        try {
          turn.run();
        } finally {
          untouched = turn.isUntouched();
          released = turn.isReleased();
          saved = turn.save();
        }
        next = saved ? standby(service, claim) : Optional.empty();
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } finally {
      if (!released) {
        release(service, claim, untouched, usage.report(), time);
      }
      machine.storage().clear(claim);
    }
    return next;
  }

  /// Requested while this turn still holds the sandbox. A slow response is not waited for: the next
  /// turn may already be waiting for the sandbox, and then has a runner of its own.
  private Optional<ServiceClient> standby(ServiceClient service, Claim claim) {
    if (idle.isZero() || stopped) {
      return Optional.empty();
    }
    try {
      return Optional.of(service.standby(idle));
    } catch (IOException failed) {
      LOG.info("no next turn is waited for {}: {}", claim, failed.getMessage());
      return Optional.empty();
    }
  }

  private Running running(TurnLease lease) {
    running.add(lease);
    if (stopped) {
      lease.stop();
    }
    return new Running(running, lease);
  }

  /// A running turn.
  private record Running(Set<TurnLease> all, TurnLease lease) implements AutoCloseable {
    @Override
    public void close() {
      all.remove(lease);
    }
  }

  /// A lost release fails nothing, since the end of the lease replaces it: everything that was
  /// saved by then is recorded.
  private static void release(
      ServiceClient service, Claim claim, boolean untouched, UsageReport usage, Deadline time) {
    try {
      service.release(untouched, usage, time.atMost(FOR_RELEASE));
      LOG.info("turn released {}", claim);
    } catch (IOException failed) {
      LOG.warn("turn not released {}: {}", claim, failed.getMessage());
    }
  }

  private static Mask mask(@Nullable Work work) {
    return work == null
        ? Mask.NONE
        : Mask.of(Stream.concat(work.secrets().values().stream(), work.masked().stream()).toList());
  }

  private static TurnUsage usage(Claim claim, Mask mask) {
    TurnUsage fresh = new TurnUsage(mask, claim.budget());
    return claim.used().map(fresh::after).orElse(fresh);
  }

  private Optional<Claim> claim(ServiceClient ticket, Invocation invocation) throws IOException {
    String claimId = UUID.randomUUID().toString();
    long end = System.nanoTime() + FOR_THE_SANDBOX.toNanos();
    while (true) {
      try {
        return Optional.of(ticket.claim(invocation.attempt(), claimId));
      } catch (CallRefused refused) {
        if (refused.says("NOT_LIVE")) {
          LOG.info("turn not live: nothing claimed");
          return Optional.empty();
        }
        if (!refused.says("SANDBOX_BUSY")) {
          throw unclaimed("turn refused", invocation, refused);
        }
        if (System.nanoTime() > end) {
          throw refused;
        }
        Pause.millis(1000);
      } catch (IOException unheard) {
        throw unclaimed("service not reached", invocation, unheard);
      }
    }
  }

  /// Logs the address, which an operator may have to correct. It holds no secret: the ticket is not
  /// in it.
  private static IOException unclaimed(String what, Invocation invocation, IOException failure) {
    LOG.error("{} at {}: {}", what, invocation.url(), failure.getMessage());
    return failure;
  }
}
