package agentsessions.session.request;

import static org.junit.jupiter.api.Assertions.assertEquals;

import agentsessions.session.id.RequestId;
import agentsessions.session.id.SessionId;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.TurnId;
import agentsessions.session.id.TurnKey;
import agentsessions.session.id.Workspace;
import agentsessions.session.repository.Checkout;
import agentsessions.session.repository.PushJob;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/// The grants that a decision on pushes makes.
class PushGrantsTest {
  private static final Instant NOW = Instant.EPOCH;

  /// Two folders may have the same repository, whose branch is named after the session.
  @Test
  void aBranchIsGrantedOnce() {
    TurnKey turn =
        new SessionKey(new Workspace("w"), new SessionId(new UUID(0, 1)))
            .turn(new TurnId(new UUID(0, 2)));
    Request pushes =
        Request.of(
            RequestId.of(turn, "push"),
            turn,
            List.of(push(1, "one", "work"), push(2, "two", "work"), push(3, "two", "other")),
            NOW,
            NOW);
    Decision decision = new Decision(Decision.Word.ALLOW_SESSION, null, Map.of(), "key", NOW);
    assertEquals(
        List.of("Push one to work", "Push two to other"),
        pushes.decided(decision).pushGrants().stream().map(SessionGrant::title).toList());
  }

  private static RequestedPush push(int number, String path, String branch) {
    Checkout.Push push = new Checkout.Push(branch, false, null, null, null);
    return new RequestedPush(
        new PushJob.Target(number, push),
        "https://host.example/app.git",
        path,
        branch,
        null,
        null,
        "0".repeat(64),
        "1".repeat(40));
  }
}
