package agentsessions.aws;

import agentsessions.authorizer.SdkCalls;
import agentsessions.session.id.TurnKey;
import jakarta.inject.Singleton;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.sfn.SfnClient;
import software.amazon.awssdk.services.sfn.model.InvalidTokenException;
import software.amazon.awssdk.services.sfn.model.TaskDoesNotExistException;
import software.amazon.awssdk.services.sfn.model.TaskTimedOutException;

/// The answers to the Step Functions tasks that wait for the turns' runners, each by the token of
/// its task.
///
/// A call with a dead token (answered, timed out, of an execution that was stopped) changes
/// nothing, and a lost call only leaves the execution to its time-outs.
@Singleton
public final class TaskAnswers {
  private static final Logger LOG = LoggerFactory.getLogger(TaskAnswers.class);

  private final SfnClient client;

  TaskAnswers(SfnClient client) {
    this.client = client;
  }

  /// Says that the task goes on.
  public void heartbeat(TurnKey turn, String token) {
    attempt(turn, () -> client.sendTaskHeartbeat(beat -> beat.taskToken(token)));
  }

  /// Ends the task: there is nothing left to wait for.
  public void succeed(TurnKey turn, String token) {
    attempt(turn, () -> client.sendTaskSuccess(end -> end.taskToken(token).output("{}")));
  }

  /// Fails the task, which is then tried again or caught, as `turn.asl.yaml` says for this error.
  public void fail(TurnKey turn, String token, String error) {
    attempt(turn, () -> client.sendTaskFailure(end -> end.taskToken(token).error(error)));
  }

  private static void attempt(TurnKey turn, Supplier<?> call) {
    try {
      Object _ = SdkCalls.make(call);
    } catch (TaskTimedOutException | TaskDoesNotExistException | InvalidTokenException dead) {
      LOG.atDebug().addKeyValue("turn", turn.id()).log("task.not_there");
    } catch (SdkException unheard) {
      LOG.atWarn()
          .addKeyValue("turn", turn.id())
          .addKeyValue("fault", unheard.getClass().getSimpleName())
          .log("task.not_told");
    }
  }
}
