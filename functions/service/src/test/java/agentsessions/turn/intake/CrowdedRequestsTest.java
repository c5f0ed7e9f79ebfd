package agentsessions.turn.intake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.aws.InMemoryAws;
import agentsessions.session.Artifact;
import agentsessions.session.Ending;
import agentsessions.session.Plans;
import agentsessions.session.SessionInputs;
import agentsessions.session.id.ArtifactId;
import agentsessions.session.id.RequestId;
import agentsessions.session.id.Stamp;
import agentsessions.session.input.ToolPermissions;
import agentsessions.session.request.Request;
import agentsessions.table.ChangeSignal;
import agentsessions.table.Table;
import agentsessions.table.item.RequestItem;
import agentsessions.turn.HeldTurns;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A session has more requests than are read together. Their ids are hashes, so those that are read
/// are any of them.
class CrowdedRequestsTest extends ClosingRequests {
  private static final Request.Tool TOOL = tool("{}");

  CrowdedRequestsTest() {
    super(
        SessionInputs.NONE,
        new ToolPermissions(
            ToolPermissions.Policy.ALLOW,
            List.of(),
            new ToolPermissions.Asking(false, 60, false, true, (int) DAYS.toDays())));
  }

  @ParameterizedTest
  @CsvSource({"1000, 1", "33, 262144"})
  void theCallThatWaitsIsListedFirst(int many, int length) {
    over(many, "x".repeat(length));
    HeldTurns.Call call =
        new HeldTurns.Call("call", "Run it", TOOL, List.of(), "f".repeat(64), false);
    assertTrue(aws.heldTurns().ask(load(), call).isPresent());
    pendingIsListedFirst();
  }

  @ParameterizedTest
  @CsvSource({"1000, 1", "33, 262144"})
  void thePlanThatWaitsIsListedFirst(int many, int length) {
    over(many, "x".repeat(length));
    Ending planned = Ending.completed("done", List.of(plan()));
    assertTrue(aws.endings().end(load(), planned, Plans.NONE));
    pendingIsListedFirst();
  }

  private void pendingIsListedFirst() {
    assertEquals(listed(true).getFirst(), aws.requests().ofSession(session).getFirst());
  }

  /// Requests that sort before others, and are pending no more.
  private void over(int many, String input) {
    Table table = new Table(busy, InMemoryAws.TABLE, new ChangeSignal(true));
    for (int number = 0; number < many; number++) {
      Request request =
          new Request(
              new RequestId(new UUID(0, number)),
              turn.key(),
              Request.Status.EXPIRED,
              "Run it",
              tool(input),
              List.of(),
              null,
              List.of(),
              "0".repeat(64),
              Stamp.of(clock.instant()),
              clock.instant(),
              null);
      assertTrue(table.write(List.of(RequestItem.put(request).put())).committed());
    }
    clock.pass(Duration.ofSeconds(1));
  }

  private static Request.Tool tool(String input) {
    return new Request.Tool("Bash", ToolPermissions.Kind.EXECUTE, input);
  }

  private Artifact plan() {
    return new Artifact(
        new ArtifactId(new UUID(7, 7)),
        turn.key(),
        "/workspace/PLAN.md",
        new UUID(8, 8),
        1,
        "a".repeat(64),
        "text/markdown",
        "key",
        clock.instant());
  }
}
