package agentsessions.protocol;

import agentsessions.aws.Turns;
import agentsessions.session.Refusal;
import agentsessions.session.Turn;
import agentsessions.turn.Pass;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The turn that a runner's request is for, by the ticket or token it carries.
record Tokens(Turns turns) {

  Turn turn(@Nullable String authorization) {
    return turn(pass(authorization), "token_hash");
  }

  /// One answer for a pass that is malformed, of another turn, or replaced by a later claim.
  ///
  /// @param attribute under which the hash of such a pass is kept
  Turn turn(Pass pass, String attribute) {
    return turns.byHash(pass.turn(), attribute, pass.hash()).orElseThrow(Tokens::notLive);
  }

  static Pass pass(@Nullable String authorization) {
    return Optional.ofNullable(authorization).flatMap(Pass::parse).orElseThrow(Tokens::notLive);
  }

  static Refusal notLive() {
    return Refusal.of(Refusal.Code.NOT_LIVE, "The turn is no longer yours");
  }
}
