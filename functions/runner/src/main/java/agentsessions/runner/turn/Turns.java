package agentsessions.runner.turn;

import agentsessions.runner.agent.Mask;
import agentsessions.runner.control.Claim;
import agentsessions.runner.control.Control;
import agentsessions.runner.control.Refused;
import agentsessions.runner.control.TimeLeft;
import agentsessions.runner.control.UsageReport;
import agentsessions.runner.control.Work;
import agentsessions.runner.sandbox.process.Pause;
import agentsessions.runner.usage.TurnUsage;
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

/// The turns that one process is given, each from its claim to its release.
public final class Turns {
  private static final Logger LOG = LoggerFactory.getLogger(Turns.class);
  private static final Duration FOR_THE_SANDBOX = Duration.ofSeconds(60);
  private static final Duration FOR_RELEASE = Duration.ofSeconds(30);

  private final Machine machine;
  private final Duration idle;
  private final SessionLocks locks;
  private final AtomicReference<@Nullable String> session;
  private final Set<Watch> running = ConcurrentHashMap.newKeySet();
  private volatile boolean stopped;

  /// @param session the only one that is served, where that is known from the beginning
  /// @param idle for how long the next turn of a session is waited for; zero: not at all
  public Turns(Machine machine, Optional<String> session, Duration idle) {
    this.machine = machine;
    this.idle = idle;
    this.locks = new SessionLocks(machine.folders().path().resolve(SessionLocks.FOLDER));
    this.session = new AtomicReference<>(session.orElse(null));
  }

  /// Runs one turn.
  ///
  /// @param time after which the process may be ended
  /// @return by which the session's next turn is waited for; nothing where none is to be
  public Optional<Control> run(Invocation invocation, TimeLeft time) throws IOException {
    Control ticket = new Control(invocation.url(), invocation.ticket());
    requireOurs(invocation.sessionId(), ticket);
    Optional<Claim> claim = claim(ticket, invocation);
    if (claim.isEmpty()) {
      return Optional.empty();
    }
    if (!isOurs(claim.get().sessionId())) {
      throw new OtherSession(new IOException("the ticket was another session's"));
    }
    session.set(claim.get().sessionId());
    return run(new Control(invocation.url(), claim.get().token()), claim.get(), time);
  }

  /// Ends the turns that run, and those that would: their agents are stopped, and what they have
  /// made is saved.
  public void stop() {
    stopped = true;
    running.forEach(Watch::stop);
  }

  /// An agent may have changed this environment in ways that we cannot see: it goes on with the
  /// same session only. Asked before the claim, so that a turn that is refused here stays queued.
  private void requireOurs(String sessionId, Control ticket) {
    if (!isOurs(sessionId)) {
      refuse(ticket);
      throw new OtherSession(new IOException("this environment serves another session"));
    }
  }

  private boolean isOurs(String sessionId) {
    String served = session.get();
    return served == null || served.equals(sessionId) || machine.storage().isShared();
  }

  /// Else it would be found only when nobody has claimed it in time.
  private static void refuse(Control ticket) {
    try {
      ticket.refuse();
    } catch (IOException failed) {
      LOG.warn("turn not refused: {}", failed.getMessage());
    }
  }

  /// The lease is kept while we wait for an older run, and the release comes last, whatever
  /// happens.
  private Optional<Control> run(Control control, Claim claim, TimeLeft time) throws IOException {
    LOG.info("turn claimed {}", claim);
    boolean untouched = true;
    Optional<Control> next = Optional.empty();
    Mask mask = mask(claim.work());
    TurnUsage usage = new TurnUsage(mask, claim.budget());
    try (Watch watch = new Watch(control, claim, usage);
        Running _ = running(watch);
        SessionLocks.Hold _ = locks.hold(claim.sessionId())) {
      if (watch.isLive()) {
        TurnRun turn = new TurnRun(machine, control, claim, watch, time, mask, usage);
        boolean saved;
        try {
          turn.run();
        } finally {
          untouched = turn.isUntouched();
          saved = turn.save();
        }
        next = saved ? standby(control, claim) : Optional.empty();
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } finally {
      release(control, claim, untouched, UsageReport.of(usage), time);
      machine.storage().clear(claim);
    }
    return next;
  }

  /// Asked while the sandbox is still ours. What is not answered soon is not waited for: the next
  /// turn may already be waiting for the sandbox, and then has a runner of its own.
  private Optional<Control> standby(Control control, Claim claim) {
    if (idle.isZero() || stopped) {
      return Optional.empty();
    }
    try {
      return Optional.of(control.standby(idle));
    } catch (IOException failed) {
      LOG.info("no next turn is waited for {}: {}", claim, failed.getMessage());
      return Optional.empty();
    }
  }

  private Running running(Watch watch) {
    running.add(watch);
    if (stopped) {
      watch.stop();
    }
    return new Running(running, watch);
  }

  /// A turn that is under way.
  private record Running(Set<Watch> all, Watch watch) implements AutoCloseable {
    @Override
    public void close() {
      all.remove(watch);
    }
  }

  /// A release that does not arrive is made up for by the lease's end, so it fails nothing: what
  /// was saved by then is on record.
  private static void release(
      Control control, Claim claim, boolean untouched, UsageReport usage, TimeLeft time) {
    try {
      control.release(untouched, usage, time.atMost(FOR_RELEASE));
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

  private Optional<Claim> claim(Control ticket, Invocation invocation) throws IOException {
    String claimId = UUID.randomUUID().toString();
    long end = System.nanoTime() + FOR_THE_SANDBOX.toNanos();
    while (true) {
      try {
        return Optional.of(ticket.claim(invocation.attempt(), claimId));
      } catch (Refused refused) {
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

  /// The address is what an operator must mend. It holds no secret: the ticket is not in it.
  private static IOException unclaimed(String what, Invocation invocation, IOException failure) {
    LOG.error("{} at {}: {}", what, invocation.url(), failure.getMessage());
    return failure;
  }
}
