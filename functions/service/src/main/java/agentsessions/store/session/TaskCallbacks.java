package agentsessions.store.session;

import agentsessions.aws.TaskAnswers;
import agentsessions.session.id.TurnKey;
import agentsessions.table.Attribute;
import agentsessions.table.AttributeFormat;
import agentsessions.table.Item;
import agentsessions.table.Layout;
import agentsessions.table.Schema;
import agentsessions.table.Table;
import jakarta.inject.Singleton;
import java.util.Optional;

/// The Step Functions task that waits for a turn's runner. Its token stays in the service: the
/// runner renews its lease and reports its result here, and the service then keeps the task alive
/// or ends it.
///
/// What it is told may be lost: the table alone decides about the turn.
@Singleton
public final class TaskCallbacks {
  private static final Schema TASK = new Schema();
  private static final Attribute<String> TOKEN = TASK.attribute("token", AttributeFormat.TEXT);
  private static final Attribute<String> ENGINE =
      TASK.attribute("engine_task", AttributeFormat.TEXT);
  private static final Attribute<Integer> DISPATCH =
      TASK.attribute("engine_dispatch", AttributeFormat.COUNT);

  private final Table table;
  private final TaskAnswers answers;

  public TaskCallbacks(Table table, TaskAnswers answers) {
    this.table = table;
    this.answers = answers;
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
    token(turn).ifPresent(token -> answers.heartbeat(turn, token));
  }

  /// Ends the task: there is nothing left to wait for.
  public void succeed(TurnKey turn) {
    token(turn).ifPresent(token -> succeed(turn, token));
  }

  /// The same by a token that was read before.
  public void succeed(TurnKey turn, String token) {
    answers.succeed(turn, token);
  }

  /// Fails the task, which is then tried again or caught, as `turn.asl.yaml` says for this error.
  public void fail(TurnKey turn, String error) {
    token(turn).ifPresent(token -> fail(turn, token, error));
  }

  /// The same by a token that was read before.
  public void fail(TurnKey turn, String token, String error) {
    answers.fail(turn, token, error);
  }

  private Optional<String> token(TurnKey turn) {
    return token(table.item(Layout.task(turn)));
  }
}
