package agentsessions.store.session;

import agentsessions.authorizer.SdkCalls;
import agentsessions.session.id.TurnKey;
import agentsessions.table.Attribute;
import agentsessions.table.AttributeFormat;
import agentsessions.table.Item;
import agentsessions.table.Layout;
import agentsessions.table.Schema;
import agentsessions.table.Table;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.sfn.SfnClient;
import software.amazon.awssdk.services.sfn.model.InvalidTokenException;
import software.amazon.awssdk.services.sfn.model.TaskDoesNotExistException;
import software.amazon.awssdk.services.sfn.model.TaskTimedOutException;

/// The Step Functions task that waits for a turn's runner. Its token stays in the service: the
/// runner renews its lease and reports its result here, and the service then keeps the task alive
/// or ends it.
///
/// A call with a dead token (answered, timed out, of an execution that was stopped) changes
/// nothing, and a lost call only leaves the execution to its time-outs: the table alone decides
/// about the turn.
@Singleton
public final class TaskCallbacks {
  private static final Logger LOG = LoggerFactory.getLogger(TaskCallbacks.class);
  private static final Schema TASK = new Schema();
  private static final Attribute<String> TOKEN = TASK.attribute("token", AttributeFormat.TEXT);
  private static final Attribute<String> ENGINE =
      TASK.attribute("engine_task", AttributeFormat.TEXT);
  private static final Attribute<Integer> DISPATCH =
      TASK.attribute("engine_dispatch", AttributeFormat.COUNT);

  private final Table table;
  private final SfnClient client;

  public TaskCallbacks(Table table, SfnClient client) {
    this.table = table;
    this.client = client;
  }

  /// Keeps the token of the task that now waits for this turn; an earlier token is dead.
  public void keep(TurnKey turn, String token) {
    table.write(TASK.change(Layout.task(turn)).set(TOKEN, token).overwrite());
  }

  /// The token in the item of [Layout#task].
  static Optional<String> token(Optional<Item> kept) {
    return kept.flatMap(item -> item.optional(TOKEN));
  }

  /// Keeps the engine's id of the task that runs this turn, and the dispatch for which it was
  /// started.
  public void begun(TurnKey turn, int dispatch, String task) {
    table.write(TASK.change(Layout.task(turn)).set(ENGINE, task).set(DISPATCH, dispatch).update());
  }

  /// The engine's id of the task that runs this turn, where it runs in one.
  public Optional<String> started(TurnKey turn) {
    return table.item(Layout.task(turn)).flatMap(item -> item.optional(ENGINE));
  }

  /// The same, where that task was started for this dispatch, and not for one before.
  public Optional<String> started(TurnKey turn, int dispatch) {
    return table
        .item(Layout.task(turn))
        .filter(item -> item.optional(DISPATCH).equals(Optional.of(dispatch)))
        .flatMap(item -> item.optional(ENGINE));
  }

  /// Sends a heartbeat: the runner is alive.
  public void heartbeat(TurnKey turn) {
    token(turn)
        .ifPresent(
            token -> attempt(turn, () -> client.sendTaskHeartbeat(beat -> beat.taskToken(token))));
  }

  /// Ends the task: there is nothing left to wait for.
  public void succeed(TurnKey turn) {
    token(turn).ifPresent(token -> succeed(turn, token));
  }

  /// The same by a token that was read before.
  public void succeed(TurnKey turn, String token) {
    attempt(turn, () -> client.sendTaskSuccess(end -> end.taskToken(token).output("{}")));
  }

  /// Fails the task, which is then tried again or caught, as `turn.asl.yaml` says for this error.
  public void fail(TurnKey turn, String error) {
    token(turn).ifPresent(token -> fail(turn, token, error));
  }

  /// The same by a token that was read before.
  public void fail(TurnKey turn, String token, String error) {
    attempt(turn, () -> client.sendTaskFailure(end -> end.taskToken(token).error(error)));
  }

  private Optional<String> token(TurnKey turn) {
    return token(table.item(Layout.task(turn)));
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
