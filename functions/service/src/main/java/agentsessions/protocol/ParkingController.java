package agentsessions.protocol;

import agentsessions.session.Turn;
import agentsessions.store.session.Turns;
import agentsessions.wire.RunnerMessages;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;
import org.jspecify.annotations.Nullable;

/// The endpoint by which a runner asks to park its turn. None is parked so far: the runner has the
/// request expire.
@Controller("/runner/v1")
class ParkingController {
  private final RunnerTokenCheck tokens;

  ParkingController(Turns turns) {
    this.tokens = new RunnerTokenCheck(turns);
  }

  @Post("/parking")
  @Status(HttpStatus.OK)
  RunnerMessages.Parked park(
      @Header(HttpHeaders.AUTHORIZATION) @Nullable String authorization,
      @Body RunnerMessages.Parking request) {
    Turn turn = tokens.turn(authorization);
    if (!turn.live()) {
      throw RunnerTokenCheck.notLive();
    }
    return new RunnerMessages.Parked(false);
  }
}
