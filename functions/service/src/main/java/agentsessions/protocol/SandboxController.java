package agentsessions.protocol;

import agentsessions.session.Refusal;
import agentsessions.session.Turn;
import agentsessions.session.usage.Usage;
import agentsessions.store.session.TaskCallbacks;
import agentsessions.store.session.Turns;
import agentsessions.turn.Sandboxes;
import agentsessions.turn.budget.BudgetWarnings;
import agentsessions.wire.RunnerMessages;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The endpoints by which a runner saves and releases its turn's sandbox, which it holds also after
/// the turn has ended: it opens a snapshot, puts the parts by presigned links, completes it, and
/// releases the sandbox. Every call may be repeated; 409 `NOT_LIVE` means that the sandbox is no
/// longer this runner's.
@Controller("/runner/v1")
public class SandboxController {
  private static final int MOST_PARTS = 10_000;
  private static final int LONGEST_TAG = 200;

  private final RunnerTokenCheck tokens;
  private final Sandboxes sandboxes;
  private final UsageReports usages;
  private final BudgetWarnings warnings;
  private final TaskCallbacks tasks;

  public SandboxController(
      Turns turns,
      Sandboxes sandboxes,
      UsageReports usages,
      BudgetWarnings warnings,
      TaskCallbacks tasks) {
    this.tokens = new RunnerTokenCheck(turns);
    this.sandboxes = sandboxes;
    this.usages = usages;
    this.warnings = warnings;
    this.tasks = tasks;
  }

  @Post("/snapshot")
  @Status(HttpStatus.OK)
  public RunnerMessages.Snapshot open(
      @Header(HttpHeaders.AUTHORIZATION) @Nullable String authorization) {
    if (!sandboxes.open(tokens.turn(authorization))) {
      throw RunnerTokenCheck.notLive();
    }
    return new RunnerMessages.Snapshot(Sandboxes.PART_BYTES);
  }

  @Post("/snapshot/parts")
  @Status(HttpStatus.OK)
  RunnerMessages.Link part(
      @Header(HttpHeaders.AUTHORIZATION) @Nullable String authorization,
      @Body RunnerMessages.Part request) {
    Turn turn = tokens.turn(authorization);
    int number = request.number() == null ? 0 : request.number();
    long size = request.size() == null ? 0 : request.size();
    if (!sandboxes.allows(number, size)) {
      throw Refusal.invalid("size", "must not be more than a part, or a sandbox, may have");
    }
    return sandboxes
        .partLink(turn, number, size)
        .map(RunnerMessages.Link::new)
        .orElseThrow(RunnerTokenCheck::notLive);
  }

  @Post("/snapshot/complete")
  @Status(HttpStatus.OK)
  public Map<String, String> complete(
      @Header(HttpHeaders.AUTHORIZATION) @Nullable String authorization,
      @Body RunnerMessages.Parts request) {
    Turn turn = tokens.turn(authorization);
    List<String> tags = request.tags() == null ? List.of() : request.tags();
    if (tags.isEmpty() || tags.size() > MOST_PARTS || !tags.stream().allMatch(this::isTag)) {
      throw Refusal.invalid("tags", "must be 1 to 10,000, as the parts were answered");
    }
    if (!sandboxes.complete(turn, tags)) {
      throw RunnerTokenCheck.notLive();
    }
    return Map.of();
  }

  /// The last call: from now on the next turn may take the sandbox. A runner that has parked its
  /// turn may not have heard so: of one that is queued again the execution is another's.
  @Post("/release")
  @Status(HttpStatus.OK)
  public Map<String, String> release(
      @Header(HttpHeaders.AUTHORIZATION) @Nullable String authorization,
      @Body RunnerMessages.Release request) {
    Turns.Reporting seen = tokens.releasing(authorization);
    Turn turn = seen.turn();
    if (turn.state() instanceof Turn.State.Queued) {
      return Map.of();
    }
    Optional<Usage> used = usages.read(request.usage());
    sandboxes.release(turn, seen.lock(), Boolean.TRUE.equals(request.untouched()), used);
    if (!turn.isSettled()) {
      warnings.after(turn, used);
    }
    if (!turn.reported()) {
      // Of a turn that was interrupted, which has no result.
      seen.task().ifPresent(token -> tasks.succeed(turn.key(), token));
    }
    return Map.of();
  }

  private boolean isTag(@Nullable String tag) {
    return tag != null && !tag.isEmpty() && tag.length() <= LONGEST_TAG;
  }
}
