package agentsessions.protocol;

import agentsessions.session.Refusal;
import agentsessions.session.Turn;
import agentsessions.store.session.Turns;
import agentsessions.turn.RunnerCredential;
import agentsessions.turn.Standby;
import agentsessions.turn.catalogue.AgentCatalogue;
import agentsessions.wire.RunnerMessages;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The endpoints by which a task waits for its session's next turn: it announces this before it
/// releases the sandbox, and then polls each second. 409 `NOT_LIVE` means that the task is not
/// needed any more.
@Controller("/runner/v1")
public class StandbyController {
  private static final int LONGEST_SECONDS = 3600;

  private final RunnerTokenCheck tokens;
  private final Standby standby;
  private final AgentCatalogue catalogue;

  public StandbyController(Turns turns, Standby standby, AgentCatalogue catalogue) {
    this.tokens = new RunnerTokenCheck(turns);
    this.standby = standby;
    this.catalogue = catalogue;
  }

  /// Only where sessions have tasks of their own.
  @Post("/standby")
  @Status(HttpStatus.OK)
  public RunnerMessages.Waiting begin(
      @Header(HttpHeaders.AUTHORIZATION) @Nullable String authorization,
      @Body RunnerMessages.Standby request) {
    Integer seconds = request.seconds();
    if (seconds == null || seconds < 1 || seconds > LONGEST_SECONDS) {
      throw Refusal.invalid("seconds", "must be a whole number from 1 to " + LONGEST_SECONDS);
    }
    RunnerCredential token = RunnerTokenCheck.credential(authorization);
    Turn turn = tokens.turn(token);
    return catalogue
        .find(turn.agentName())
        .filter(agent -> agent.engine().hasTasks())
        .flatMap(_ -> standby.begin(turn, token, Duration.ofSeconds(seconds)))
        .map(waiting -> new RunnerMessages.Waiting(waiting.text()))
        .orElseThrow(RunnerTokenCheck::notLive);
  }

  @Post("/next")
  @Status(HttpStatus.OK)
  public RunnerMessages.Next next(
      @Header(HttpHeaders.AUTHORIZATION) @Nullable String authorization) {
    return switch (standby.ask(RunnerTokenCheck.credential(authorization))) {
      case Standby.Answer.Run(Standby.Next next) ->
          new RunnerMessages.Next(next.ticket(), next.attempt());
      case Standby.Answer.Wait _ -> new RunnerMessages.Next(null, null);
      case Standby.Answer.End _ -> throw RunnerTokenCheck.notLive();
    };
  }
}
