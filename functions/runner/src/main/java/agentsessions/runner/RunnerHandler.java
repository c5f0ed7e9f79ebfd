package agentsessions.runner;

import agentsessions.runner.agent.Json;
import agentsessions.runner.agent.Mask;
import agentsessions.runner.protocol.Claim;
import agentsessions.runner.protocol.Control;
import agentsessions.runner.protocol.Refused;
import agentsessions.runner.protocol.TimeLeft;
import agentsessions.runner.protocol.UsageReport;
import agentsessions.runner.protocol.Work;
import agentsessions.runner.sandbox.Pause;
import agentsessions.runner.usage.TurnUsage;
import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs one turn an invocation.
///
/// The answer is `{"spent": false}`; true says that the turn left something behind in this process,
/// which then should take no other. What became of the turn, the service knows from the protocol.
/// An invocation fails when the turn could be neither claimed nor reported, and then the state
/// machine closes the turn.
public final class RunnerHandler implements RequestStreamHandler {
  private static final Logger LOG = LoggerFactory.getLogger(RunnerHandler.class);
  private static final Duration FOR_THE_SANDBOX = Duration.ofSeconds(60);
  private static final Duration FOR_RELEASE = Duration.ofSeconds(30);

  private final Machine machine;
  private final SessionLocks locks;
  private final AtomicReference<@Nullable String> session = new AtomicReference<>();

  /// As Lambda makes it; for the variables see {@link Machine}.
  public RunnerHandler() {
    this(Machine.of(System.getenv()));
    MaskedLog.begin();
  }

  RunnerHandler(Machine machine) {
    this.machine = machine;
    this.locks = new SessionLocks(machine.sandboxes().resolve(SessionLocks.FOLDER));
  }

  @Override
  public void handleRequest(InputStream input, OutputStream output, Context context)
      throws IOException {
    TimeLeft time = TimeLeft.of(Duration.ofMillis(context.getRemainingTimeInMillis()));
    run(Json.MAPPER.readValue(input, Invocation.class), time);
    output.write("{\"spent\": %s}".formatted(Wear.isSpent()).getBytes(StandardCharsets.UTF_8));
  }

  /// @param time after which Lambda ends the process
  void run(Invocation invocation, TimeLeft time) throws IOException {
    Control ticket = new Control(invocation.url(), invocation.ticket());
    requireOurs(invocation.sessionId(), ticket);
    Optional<Claim> claim = claim(ticket, invocation);
    if (claim.isPresent()) {
      session.set(claim.get().sessionId());
      run(new Control(invocation.url(), claim.get().token()), claim.get(), time);
    }
  }

  /// An agent may have changed this environment in ways that we cannot see: it goes on with the
  /// same session only. Asked before the claim, so that a turn that is refused here stays queued.
  private void requireOurs(String sessionId, Control ticket) {
    String served = session.get();
    if (served != null && !served.equals(sessionId) && !machine.storage().isShared()) {
      refuse(ticket);
      throw new OtherSession(new IOException("this environment serves another session"));
    }
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
  private void run(Control control, Claim claim, TimeLeft time) throws IOException {
    LOG.info("turn claimed {}", claim);
    boolean untouched = true;
    Mask mask = mask(claim.work());
    TurnUsage usage = new TurnUsage(mask, claim.budget());
    try (Watch watch = new Watch(control, claim, usage);
        SessionLocks.Hold _ = locks.hold(claim.sessionId())) {
      if (watch.isLive()) {
        TurnRun turn = new TurnRun(machine, control, claim, watch, time, mask, usage);
        try {
          turn.run();
        } finally {
          untouched = turn.isUntouched();
          turn.save();
        }
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } finally {
      release(control, claim, untouched, UsageReport.of(usage), time);
      machine.storage().clear(claim);
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
        if (!refused.says("SANDBOX_BUSY") || System.nanoTime() > end) {
          throw refused;
        }
        Pause.millis(1000);
      }
    }
  }
}
