package agentsessions.protocol;

import agentsessions.session.Refusal;
import agentsessions.session.Turn;
import agentsessions.store.session.Turns;
import agentsessions.turn.RunnerCredential;
import agentsessions.wire.TurnResult;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The check of the token in a runner's request, which finds the turn that it is for. A token that
/// is malformed, of another turn, or replaced by a later claim gets one and the same refusal.
record RunnerTokenCheck(Turns turns) {

  Turn turn(@Nullable String authorization) {
    return turn(credential(authorization));
  }

  Turn turn(RunnerCredential token) {
    return turns.byToken(token.turn(), token.hash()).orElseThrow(RunnerTokenCheck::notLive);
  }

  /// The turn that is still the runner's.
  Turn live(@Nullable String authorization) {
    return live(credential(authorization));
  }

  Turn live(RunnerCredential token) {
    return live(turn(token));
  }

  /// The turn, if it is still the runner's.
  static Turn live(Turn turn) {
    if (!turn.isRunning()) {
      throw notLive();
    }
    return turn;
  }

  /// The turn that a runner reports, with the plans of its session where it reports any.
  ///
  /// @param release whether the lock of its sandbox is needed too
  Turns.Reporting reporting(@Nullable String authorization, TurnResult report, boolean release) {
    RunnerCredential token = credential(authorization);
    return turns
        .reporting(token.turn(), token.hash(), TurnReports.hasPlans(report), release)
        .orElseThrow(RunnerTokenCheck::notLive);
  }

  /// The turn that a runner lets go of, with the lock of its sandbox.
  Turns.Reporting releasing(@Nullable String authorization) {
    RunnerCredential token = credential(authorization);
    return turns
        .reporting(token.turn(), token.hash(), false, true)
        .orElseThrow(RunnerTokenCheck::notLive);
  }

  static RunnerCredential credential(@Nullable String authorization) {
    return Optional.ofNullable(authorization)
        .flatMap(RunnerCredential::parse)
        .orElseThrow(RunnerTokenCheck::notLive);
  }

  static Refusal notLive() {
    return Refusal.of(Refusal.Code.NOT_LIVE, "The turn is no longer yours");
  }
}
