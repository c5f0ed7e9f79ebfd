package agentsessions.protocol;

import agentsessions.session.Turn;
import agentsessions.store.session.TaskCallbacks;
import agentsessions.store.session.Turns;
import agentsessions.turn.RunnerCredential;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The endpoint by which a runner refuses the turn it was started for, with its ticket, instead of
/// claiming it.
@Controller("/runner/v1")
class LaunchController {
  /// The error's name in `turn.asl.yaml`.
  private static final String OTHER_SESSION = "agentsessions.runner.turn.OtherSession";

  private final Turns turns;
  private final TaskCallbacks tasks;

  LaunchController(Turns turns, TaskCallbacks tasks) {
    this.turns = turns;
    this.tasks = tasks;
  }

  /// Another runner is started for the turn, which is still queued.
  @Post("/refusal")
  @Status(HttpStatus.OK)
  Map<String, String> refuse(@Header(HttpHeaders.AUTHORIZATION) @Nullable String authorization) {
    RunnerCredential ticket = RunnerTokenCheck.credential(authorization);
    Turn turn =
        turns
            .byTicket(ticket.turn(), ticket.hash())
            .filter(found -> found.state() instanceof Turn.State.Queued)
            .orElseThrow(RunnerTokenCheck::notLive);
    tasks.fail(turn.key(), OTHER_SESSION);
    return Map.of();
  }
}
