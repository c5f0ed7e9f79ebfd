package agentsessions.turn.intake;

import agentsessions.session.Session;
import agentsessions.session.Turn;
import agentsessions.session.id.Stamp;
import agentsessions.session.repository.PushJob;
import agentsessions.session.repository.Repository;
import agentsessions.session.request.Decision;
import agentsessions.session.request.Request;
import agentsessions.session.webhook.PendingEvents;
import agentsessions.table.Write;
import agentsessions.table.item.GrantItem;
import agentsessions.table.item.SessionItem;
import agentsessions.turn.StartGrace;
import agentsessions.turn.TurnQueue;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// The sequel to a decision on pushes: the job that makes them, or the errors that say that a
/// person has denied them.
///
/// Why: decision 046.
@Singleton
public final class PushSequels {
  private final StartGrace startGrace;

  public PushSequels(StartGrace startGrace) {
    this.startGrace = startGrace;
  }

  /// What follows the decision.
  ///
  /// @param asked the turn after which the pushes wait
  ClosingSequel after(Session session, Turn asked, Request decided, Instant now) {
    Decision decision = Objects.requireNonNull(decided.decision());
    return decision.word() == Decision.Word.DENY
        ? denied(session, decided, decision, now)
        : allowed(session, asked, decided, now);
  }

  private ClosingSequel allowed(Session session, Turn asked, Request decided, Instant now) {
    Stamp stamp = ClosingSequel.stamp(session, now);
    PushJob job = decided.job(subject(session, decided));
    Turn next =
        NewJob.of(
            session, stamp, asked.baseUrl(), startGrace.dueAt(now), job, asked.account().keyId());
    List<Write> writes =
        NewJob.writes(
            next,
            TurnQueue.permitted(ClosingSequel.over(session, decided, stamp), session)
                .set(SessionItem.JOB_IS_PUSH, job.makesNoPullRequest()));
    decided.pushGrants().forEach(grant -> writes.add(GrantItem.put(grant).overwrite()));
    return new ClosingSequel(
        Optional.of(next), writes, PendingEvents.of(session.key(), session.hasWebhook()), stamp);
  }

  private static ClosingSequel denied(
      Session session, Request decided, Decision decision, Instant now) {
    List<Repository> repositories =
        decided.job("").denied(session.configuration().repositories(), decision.note());
    return ClosingSequel.ended(
        session, decided, now, change -> change.set(SessionItem.REPOSITORIES, repositories));
  }

  /// That of the pull request, where one is wanted with a title.
  private static String subject(Session session, Request decided) {
    return decided.pushes().stream()
        .flatMap(push -> Optional.ofNullable(push.target().push().pullRequest()).stream())
        .flatMap(pullRequest -> Optional.ofNullable(pullRequest.title()).stream())
        .findFirst()
        .or(() -> Optional.ofNullable(session.title()))
        .orElse("Changes");
  }
}
