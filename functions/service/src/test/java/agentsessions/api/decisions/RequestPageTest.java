package agentsessions.api.decisions;

import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.api.request.PageRange;
import agentsessions.rule.Question;
import agentsessions.session.id.RequestId;
import agentsessions.session.id.SessionId;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.Stamp;
import agentsessions.session.id.TurnId;
import agentsessions.session.id.TurnKey;
import agentsessions.session.id.Workspace;
import agentsessions.session.input.ToolPermissions;
import agentsessions.session.request.Decision;
import agentsessions.session.request.Request;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/// A page of requests fits into one response of a function, whatever people have answered.
class RequestPageTest {
  private static final int LIMIT = 100;
  private static final int ANSWER = 16_000;

  @Test
  void aPageOfLongAnswersEndsEarly() {
    RequestPage.Shown shown =
        new RequestPage.Shown(
            new PageRange("http://service/rest/v1", Map.of(), Optional.empty(), false, LIMIT));
    int added = 1;
    while (shown.add(answered(added)).isEmpty()) {
      added++;
    }
    assertTrue(added < LIMIT, () -> "%d requests on a page".formatted(shown.requests().size()));
  }

  private static Request answered(int number) {
    TurnKey turn =
        new SessionKey(new Workspace("w"), new SessionId(new UUID(0, 1)))
            .turn(new TurnId(new UUID(0, 2)));
    Question question = new Question("1", "Why?", List.of(), false, true);
    return new Request(
            RequestId.of(turn, "call " + number),
            turn,
            Request.Status.PENDING,
            "Why?",
            new Request.Tool("Ask", ToolPermissions.Kind.OTHER, "{}"),
            List.of(question),
            null,
            List.of(),
            "0".repeat(64),
            Stamp.of(Instant.EPOCH),
            Instant.EPOCH,
            null)
        .decided(
            new Decision(
                Decision.Word.ALLOW,
                null,
                Map.of("1", List.of("木".repeat(ANSWER))),
                "key",
                Instant.EPOCH));
  }
}
