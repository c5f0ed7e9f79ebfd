package agentsessions.protocol;

import agentsessions.session.Refusal;
import agentsessions.session.Turn;
import agentsessions.store.session.Turns;
import agentsessions.turn.Pass;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The check of the token in a runner's request, which finds the turn that it is for. A token that
/// is malformed, of another turn, or replaced by a later claim gets one and the same refusal.
record Tokens(Turns turns) {

  Turn turn(@Nullable String authorization) {
    return turn(pass(authorization));
  }

  Turn turn(Pass token) {
    return turns.byToken(token.turn(), token.hash()).orElseThrow(Tokens::notLive);
  }

  /// The turn that a runner reports, with the plans of its session where it reports any.
  Turns.Reporting reporting(@Nullable String authorization, RunnerMessages.Report report) {
    Pass token = pass(authorization);
    return turns
        .reporting(token.turn(), token.hash(), report.hasPlans())
        .orElseThrow(Tokens::notLive);
  }

  static Pass pass(@Nullable String authorization) {
    return Optional.ofNullable(authorization).flatMap(Pass::parse).orElseThrow(Tokens::notLive);
  }

  static Refusal notLive() {
    return Refusal.of(Refusal.Code.NOT_LIVE, "The turn is no longer yours");
  }
}
