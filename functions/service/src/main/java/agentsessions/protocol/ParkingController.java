package agentsessions.protocol;

import agentsessions.session.Turn;
import agentsessions.session.id.RequestId;
import agentsessions.store.session.TaskCallbacks;
import agentsessions.store.session.Turns;
import agentsessions.turn.Parking;
import agentsessions.wire.RunnerMessages;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The endpoint by which a runner parks its turn, in place of a result and a release. The call may
/// be repeated; 409 `NOT_LIVE` means that the turn is no longer this runner's, or has no such
/// request.
@Controller("/runner/v1")
public final class ParkingController {
  private static final Logger LOG = LoggerFactory.getLogger(ParkingController.class);

  private final RunnerTokenCheck tokens;
  private final Parking parking;
  private final UsageReports usages;
  private final TaskCallbacks tasks;

  public ParkingController(Turns turns, Parking parking, UsageReports usages, TaskCallbacks tasks) {
    this.tokens = new RunnerTokenCheck(turns);
    this.parking = parking;
    this.usages = usages;
    this.tasks = tasks;
  }

  @Post("/parking")
  @Status(HttpStatus.OK)
  public RunnerMessages.Parked park(
      @Header(HttpHeaders.AUTHORIZATION) @Nullable String authorization,
      @Body RunnerMessages.Parking request) {
    Turns.Reporting seen = tokens.releasing(authorization);
    Parking.Wish wish =
        new Parking.Wish(
            Optional.ofNullable(request.request())
                .flatMap(RequestId::parse)
                .orElseThrow(RunnerTokenCheck::notLive),
            Boolean.TRUE.equals(request.untouched()),
            usages.read(request.usage()));
    return switch (parking.park(seen.turn(), wish)) {
      case PARKED -> {
        end(seen);
        yield new RunnerMessages.Parked(true);
      }
      case REFUSED -> new RunnerMessages.Parked(false);
      case NOT_LIVE -> throw RunnerTokenCheck.notLive();
    };
  }

  /// Ends the execution, unless the turn was queued again: then the token is that of another one.
  private void end(Turns.Reporting seen) {
    if (!seen.turn().live() || seen.turn().state() instanceof Turn.State.Queued) {
      return;
    }
    seen.task().ifPresent(token -> tasks.succeed(seen.turn().key(), token));
    log(seen.turn());
  }

  private static void log(Turn turn) {
    LOG.atInfo()
        .addKeyValue("session", turn.sessionId())
        .addKeyValue("turn", turn.id())
        .log("turn.parked");
  }
}
