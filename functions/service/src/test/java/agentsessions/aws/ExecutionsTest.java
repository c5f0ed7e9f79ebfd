package agentsessions.aws;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;

import agentsessions.session.id.SessionId;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.TurnId;
import agentsessions.session.id.TurnKey;
import agentsessions.session.id.Workspace;
import io.micronaut.json.JsonMapper;
import java.util.ArrayList;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sfn.SfnClient;
import software.amazon.awssdk.services.sfn.model.StartExecutionRequest;
import software.amazon.awssdk.services.sfn.model.StartExecutionResponse;
import software.amazon.awssdk.services.sfn.model.StopExecutionRequest;
import software.amazon.awssdk.services.sfn.model.StopExecutionResponse;

/// Requests to Step Functions that get no answer.
class ExecutionsTest {
  private static final TurnKey TURN =
      new SessionKey(new Workspace("w"), new SessionId(new UUID(0, 2)))
          .turn(new TurnId(new UUID(0, 1)));

  private final Executions executions =
      new Executions(new CutShort(), JsonMapper.createDefault(), "arn:aws:states:::stateMachine:T");

  @Test
  void aStartThatIsCutShortFailsNothing() {
    assertDoesNotThrow(() -> executions.start(TURN, 1));
  }

  @Test
  void aStopThatIsCutShortFailsNothing() {
    assertDoesNotThrow(() -> executions.stop(TURN, 1));
  }

  /// As the HTTP client says that an attempt ran out of time while it connected.
  private static final class CutShort implements SfnClient, AwsStandIn {
    @Override
    public StartExecutionResponse startExecution(StartExecutionRequest request) {
      throw cut();
    }

    @Override
    public StopExecutionResponse stopExecution(StopExecutionRequest request) {
      throw cut();
    }

    /// Thrown by a library, as it is told from one of ours.
    private static IllegalStateException cut() {
      return assertThrows(IllegalStateException.class, () -> new ArrayList<>().iterator().remove());
    }
  }
}
