package agentsessions.protocol;

import agentsessions.aws.Bucket;
import agentsessions.session.Agent;
import agentsessions.session.Ending;
import agentsessions.session.MessageKind;
import agentsessions.session.Refusal;
import agentsessions.session.Turn;
import agentsessions.session.usage.SpendingLimits;
import agentsessions.session.usage.Usage;
import agentsessions.store.session.TaskCallbacks;
import agentsessions.store.session.Turns;
import agentsessions.table.ChangeSignal;
import agentsessions.table.NotAllowed;
import agentsessions.table.Retries;
import agentsessions.turn.ClaimState;
import agentsessions.turn.Claims;
import agentsessions.turn.Endings;
import agentsessions.turn.RunnerCredential;
import agentsessions.turn.Sandboxes;
import agentsessions.turn.TaskStops;
import agentsessions.turn.TurnEvents;
import agentsessions.turn.budget.BudgetWarnings;
import agentsessions.turn.budget.TurnBudget;
import agentsessions.turn.catalogue.AgentCatalogue;
import agentsessions.wire.Instruction;
import agentsessions.wire.RunnerMessages;
import agentsessions.wire.TurnResult;
import agentsessions.wire.UsageReport;
import io.micronaut.context.annotation.Property;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.Post;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The runner protocol's endpoints by which a runner, which holds no AWS permission, claims its one
/// turn, keeps it by a lease, and reports its result. Every call carries the turn's ticket or token
/// and may be repeated; 409 `NOT_LIVE` means that the turn is no longer this runner's.
@Controller("/runner/v1")
public class RunnerController {
  private static final Logger LOG = LoggerFactory.getLogger(RunnerController.class);

  /// The most that S3 takes in one request.
  private static final long MOST_BYTES = 5L << 30;

  private static final int MOST_EVENT_BYTES = 2 * 1024 * 1024;
  private static final int MOST_ATTEMPTS = 999;
  private static final int LEASE_PARTS = 3;

  private final RunnerTokenCheck tokens;
  private final Claims claims;
  private final TurnEvents events;
  private final Endings endings;
  private final Sandboxes sandboxes;
  private final TaskCallbacks tasks;
  private final TaskStops stops;
  private final Bucket bucket;
  private final TurnReports reports;
  private final WorkAnswers work;
  private final UsageReports usages;
  private final BudgetWarnings warnings;
  private final AgentCatalogue catalogue;
  private final ChangeSignal signal;
  private final int checkMillis;
  private final int renewSeconds;

  public RunnerController(
      Turns turns,
      Claims claims,
      TurnEvents events,
      Endings endings,
      Sandboxes sandboxes,
      TaskCallbacks tasks,
      TaskStops stops,
      Bucket bucket,
      TurnReports reports,
      WorkAnswers work,
      UsageReports usages,
      BudgetWarnings warnings,
      AgentCatalogue catalogue,
      ChangeSignal signal,
      @Property(name = "check.millis", defaultValue = "3000") int checkMillis,
      @Property(name = "lease.seconds", defaultValue = "45") int leaseSeconds) {
    this.tokens = new RunnerTokenCheck(turns);
    this.claims = claims;
    this.events = events;
    this.endings = endings;
    this.sandboxes = sandboxes;
    this.tasks = tasks;
    this.stops = stops;
    this.bucket = bucket;
    this.reports = reports;
    this.work = work;
    this.usages = usages;
    this.warnings = warnings;
    this.catalogue = catalogue;
    this.signal = signal;
    this.checkMillis = checkMillis;
    this.renewSeconds = Math.max(1, leaseSeconds / LEASE_PARTS);
  }

  /// Exchanges ticket and attempt for a token, unless a later attempt has claimed before.
  @Post("/claim")
  public Instruction claim(
      @Header(HttpHeaders.AUTHORIZATION) @Nullable String authorization,
      @Body RunnerMessages.Claim request) {
    RunnerCredential ticket = RunnerTokenCheck.credential(authorization);
    ClaimState state = claims.state(ticket).orElseThrow(RunnerTokenCheck::notLive);
    int attempt = within("attempt", request.attempt(), MOST_ATTEMPTS);
    String claimId = request.claimId() == null ? "" : request.claimId();
    if (claimId.isEmpty() || claimId.length() > 64) {
      throw Refusal.invalid("claim_id", "must be 1 to 64 characters");
    }
    Agent agent = catalogue.find(state.turn().agentName()).orElseThrow(RunnerTokenCheck::notLive);
    if (!ticket.isFor(attempt)) {
      throw RunnerTokenCheck.notLive();
    }
    long fence = Turn.fence(ticket.dispatch(), attempt);
    RunnerCredential token = ticket.token(state.turn(), claimId, fence);
    Duration time = state.budget().time(agent.timeLimit());
    Claims.Request claim = new Claims.Request(ticket.hash(), claimId, fence, token.hash(), time);
    return switch (claims.claim(state, claim)) {
      case Claims.Outcome.Granted granted -> {
        try {
          yield instruction(granted, agent, token, state.spendingLimits());
        } catch (NotAllowed _) {
          throw work.notAllowed(granted.turn());
        }
      }
      case Claims.Outcome.NotLive _ -> throw RunnerTokenCheck.notLive();
      case Claims.Outcome.SandboxBusy _ ->
          throw Refusal.of(Refusal.Code.SANDBOX_BUSY, "Another turn still holds the sandbox");
    };
  }

  @Post("/lease")
  public RunnerMessages.Live renew(
      @Header(HttpHeaders.AUTHORIZATION) @Nullable String authorization,
      @Body RunnerMessages.@Nullable Renewal request) {
    UsageReport used = request == null ? null : request.usage();
    Turn turn = tokens.turn(authorization);
    Optional<Usage> reported = usages.read(used);
    boolean live = claims.renew(turn, reported);
    if (live && !turn.isJob()) {
      warnings.during(turn, reported);
    }
    if (live && claims.isNewMinute(turn)) {
      tasks.heartbeat(turn.key());
    }
    if (!live) {
      stops.wantLate(turn);
    }
    return new RunnerMessages.Live(live);
  }

  @Post("/events")
  public RunnerMessages.Count append(
      @Header(HttpHeaders.AUTHORIZATION) @Nullable String authorization,
      @Body RunnerMessages.Events request) {
    Turn turn = tokens.turn(authorization);
    int from = within("from", request.from(), Integer.MAX_VALUE);
    return events
        .append(turn, from, events(request))
        .map(RunnerMessages.Count::new)
        .orElseThrow(RunnerTokenCheck::notLive);
  }

  @Post("/uploads")
  RunnerMessages.Uploads uploads(
      @Header(HttpHeaders.AUTHORIZATION) @Nullable String authorization,
      @Body RunnerMessages.UploadRequest request) {
    Turn turn = tokens.live(authorization);
    List<RunnerMessages.FileSize> files = request.files() == null ? List.of() : request.files();
    if (files.size() > RunnerMessages.UploadRequest.MOST) {
      throw Refusal.invalid("files", "must be at most " + RunnerMessages.UploadRequest.MOST);
    }
    List<RunnerMessages.Upload> uploads = new ArrayList<>();
    for (RunnerMessages.FileSize file : files) {
      long bytes = bytes(file);
      String key = TurnReports.newKey(turn);
      uploads.add(new RunnerMessages.Upload(key, bucket.uploadLink(key, bytes)));
    }
    return new RunnerMessages.Uploads(uploads);
  }

  /// Where the sandbox stays on its machine, the result can release it too. The usage must be known
  /// then, since nothing is reported later.
  @Post("/result")
  public RunnerMessages.Ended result(
      @Header(HttpHeaders.AUTHORIZATION) @Nullable String authorization, @Body TurnResult report) {
    boolean release =
        Boolean.TRUE.equals(report.release())
            && report.usage() != null
            && sandboxes.staysOnMachine();
    for (int tries = 0;
        !committed(tokens.reporting(authorization, report, release), report);
        tries++) {
      // The turn has changed meanwhile, by a late event or another ending, or another turn waits
      // for its sandbox: read it again, at first at once, since whoever was faster is through.
      if (tries > 0) {
        Retries.pause("result", tries);
      }
    }
    return new RunnerMessages.Ended(release);
  }

  private boolean committed(Turns.Reporting seen, TurnResult report) {
    if (seen.turn().reported()) {
      return true;
    }
    Ending reported = reports.ending(RunnerTokenCheck.live(seen.turn()), report);
    Optional<Usage> used = usages.read(report.usage());
    Ending ending = used.map(reported::using).orElse(reported);
    boolean ended = endings.end(seen.turn(), ending, seen.plans(), seen.lock());
    if (ended) {
      seen.task().ifPresent(token -> tasks.succeed(seen.turn().key(), token));
      log(seen.turn(), ending);
      if (!seen.turn().isJob()) {
        warnings.after(seen.turn(), used);
      }
    }
    return ended;
  }

  private Instruction instruction(
      Claims.Outcome.Granted claimed,
      Agent agent,
      RunnerCredential token,
      SpendingLimits spendingLimits) {
    Turn turn = claimed.turn();
    TurnBudget budget = claimed.budget();
    work.refuseSpent(turn, budget, spendingLimits);
    LOG.atInfo()
        .addKeyValue("session", turn.sessionId())
        .addKeyValue("turn", turn.id())
        .addKeyValue("fence", turn.fence())
        .log("turn.claimed");
    return new Instruction(
        token.text(),
        turn.fence(),
        turn.key().sessionKey().workspace().name(),
        turn.sessionId().toString(),
        turn.id().toString(),
        turn.number(),
        agent.name(),
        work.entry(agent, catalogue.variables(agent)),
        claimed.message(),
        turn.claimed().map(claim -> claim.deadline().toEpochMilli() / 1000.0).orElse(0.0),
        checkMillis,
        (int) signal.longestWait().toSeconds(),
        renewSeconds,
        claimed.snapshot().map(bucket::runnerLink).orElse(null),
        claimed.lost(),
        work.of(turn),
        budget.ceilings(),
        usages.prices(budget),
        work.keys(agent));
  }

  private static List<TurnEvents.Event> events(RunnerMessages.Events request) {
    List<RunnerMessages.Event> sent = request.events() == null ? List.of() : request.events();
    List<TurnEvents.Event> events = sent.stream().map(RunnerController::event).toList();
    long bytes =
        events.stream()
            .mapToLong(event -> event.text().getBytes(StandardCharsets.UTF_8).length)
            .sum();
    if (events.size() > RunnerMessages.Events.MOST || bytes > MOST_EVENT_BYTES) {
      throw Refusal.invalid("events", "must be at most 90 and 2 MiB together");
    }
    return events;
  }

  private static TurnEvents.Event event(RunnerMessages.Event event) {
    String text = event.text() == null ? "" : event.text();
    if (text.getBytes(StandardCharsets.UTF_8).length > TurnEvents.INLINE_BYTES) {
      throw Refusal.invalid("text", "must be at most 300,000 bytes");
    }
    return switch (event.type() == null ? "" : event.type()) {
      case RunnerMessages.Event.MESSAGE -> new TurnEvents.Event(MessageKind.PROGRESS, text);
      case RunnerMessages.Event.TOOL_CALL -> new TurnEvents.Event(MessageKind.TOOL_CALL, text);
      default -> throw Refusal.invalid("type", "must be message or tool_call");
    };
  }

  private static long bytes(RunnerMessages.@Nullable FileSize file) {
    Long size = file == null ? null : file.size();
    if (size == null || size < 0 || size > MOST_BYTES) {
      throw Refusal.invalid("size", "must be a whole number from 0 to " + MOST_BYTES);
    }
    return size;
  }

  private static int within(String field, @Nullable Integer value, int most) {
    if (value == null || value < 0 || value > most) {
      throw Refusal.invalid(field, "must be a whole number from 0 to " + most);
    }
    return value;
  }

  private static void log(Turn turn, Ending ending) {
    LOG.atInfo()
        .addKeyValue("session", turn.sessionId())
        .addKeyValue("turn", turn.id())
        .addKeyValue("status", ending.status().word())
        .addKeyValue("artifacts", ending.artifacts().size())
        .log("turn.ended");
  }
}
