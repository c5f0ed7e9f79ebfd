package agentsessions.turn.idempotency;

import agentsessions.session.Receipt;
import agentsessions.session.Turn;
import agentsessions.session.id.SessionId;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.Stamp;
import agentsessions.session.id.TurnId;
import agentsessions.session.id.Workspace;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The answers that were kept for repeats before receipts were: the whole body of a created
/// session, the thread id of a follow-up. Not needed any more 24 hours after the last was written.
final class OlderAnswer {
  // The values of metadata are texts, so that none of them can look like the empty list.
  private static final Pattern BODY =
      Pattern.compile(
          "\\{\"id\":\"([^\"]+)\".*"
              + "\"plan_artifact_ids\":\\[],\"thread_id\":\"([^\"]+)\",\"created_at\":\"([^\"]+)\".*",
          Pattern.DOTALL);

  /// Exact to the millisecond, which is all that the body shows.
  static Optional<Receipt> created(Workspace workspace, String body) {
    Matcher parts = BODY.matcher(body);
    return parts.matches()
        ? SessionId.parse(parts.group(1))
            .flatMap(session ->
                TurnId.parse(parts.group(2))
                    .map(turn ->
                        new Receipt(
                            new SessionKey(workspace, session).turn(turn),
                            Stamp.of(Instant.parse(parts.group(3))))))
        : Optional.empty();
  }

  /// Empty where the turn has been removed.
  static Optional<Receipt> followUp(String thread, Function<TurnId, Optional<Turn>> turns) {
    return TurnId.parse(thread).flatMap(turns).map(Turn::receipt);
  }

  private OlderAnswer() {}
}
