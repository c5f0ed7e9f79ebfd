package agentsessions.chat.transcript;

import static agentsessions.chat.Pages.asked;
import static org.junit.jupiter.api.Assertions.assertEquals;

import agentsessions.chat.StandIn;
import agentsessions.chat.api.Api;
import agentsessions.chat.api.ApiModel.Turn;
import agentsessions.chat.api.PendingRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Tests of which request an answer is for.
class ShownRequestTest {
  private static final Turn HELD = new Turn("t", "requires_action", null, null, null, null);

  private final StandIn service = new StandIn();
  private final List<Optional<PendingRequest>> meanwhile = new ArrayList<>();
  private final ShownRequest request =
      new ShownRequest(new Api(service.access(), notice -> {}), _ -> addCurrent());

  ShownRequestTest() throws IOException {}

  @AfterEach
  void close() {
    service.close();
  }

  @Test
  void whileARequestIsPrintedAnAnswerIsForNone() {
    service.answers("GET /requests?session_id=s", 200, asked("r"));
    service.answers("GET /requests?session_id=s", 200, asked("q"));
    request.look("s", HELD);
    assertEquals(Optional.of("r"), request.current().map(PendingRequest::id));
    request.look("s", HELD);
    assertEquals(Optional.of("q"), request.current().map(PendingRequest::id));
    assertEquals(List.of(Optional.empty(), Optional.empty()), meanwhile);
  }

  private void addCurrent() {
    meanwhile.add(request.current());
  }
}
