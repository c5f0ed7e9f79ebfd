package agentsessions.turn.intake;

import agentsessions.session.Acceptance;
import agentsessions.session.Idempotency;
import agentsessions.session.IdempotencyRecord;
import agentsessions.session.Refusal;
import agentsessions.session.Session;
import agentsessions.session.Turn;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.Stamp;
import agentsessions.session.repository.PushJob;
import agentsessions.store.session.Sessions;
import agentsessions.table.Item;
import agentsessions.table.Layout;
import agentsessions.table.Retries;
import agentsessions.table.Table;
import agentsessions.table.Write;
import agentsessions.table.item.SessionItem;
import agentsessions.turn.StartGrace;
import agentsessions.turn.TurnQueue;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The acceptance of a pull request of a session's changes, as a job of a session for which nothing
/// else runs.
///
/// Why: decision 044.
@Singleton
public final class PullRequestIntake {
  private final Table table;
  private final IdempotencyRecords idempotencyRecords;
  private final Clock clock;
  private final StartGrace startGrace;

  public PullRequestIntake(
      Table table, IdempotencyRecords idempotencyRecords, Clock clock, StartGrace startGrace) {
    this.table = table;
    this.idempotencyRecords = idempotencyRecords;
    this.clock = clock;
    this.startGrace = startGrace;
  }

  /// A pull request that is asked for.
  ///
  /// @param hasCredential whether there is one for the repository's host
  /// @param keyId the API key that asks
  public record Wanted(PushJob job, boolean hasCredential, String keyId) {}

  /// Accepts the job, if nothing runs or waits for the session; the transaction asks for that
  /// again.
  ///
  /// @param wanted empty where there was no session
  public Acceptance accept(
      SessionKey key, Optional<Wanted> wanted, String baseUrl, @Nullable Idempotency idempotency) {
    for (int tries = 0; ; tries++) {
      Seen seen = seen(key, idempotency);
      if (seen.kept().isPresent()) {
        return IdempotencyRecords.answer(seen.kept(), idempotency);
      }
      if (seen.session().isEmpty() || wanted.isEmpty()) {
        return new Acceptance.NoSession();
      }
      Session session = seen.session().get();
      Optional<Acceptance> refusal = refused(session, wanted.get());
      if (refusal.isPresent()) {
        return refusal.get();
      }
      Turn job = job(session, wanted.get(), baseUrl);
      if (table.write(writes(session, job, idempotency)).committed()) {
        return new Acceptance.Accepted(job);
      }
      Retries.pause("pull request", tries);
    }
  }

  private static Optional<Acceptance> refused(Session session, Wanted wanted) {
    if (!wanted.hasCredential()) {
      return refused(
          Refusal.Code.NO_CREDENTIAL,
          "The session has no credential for this repository; a message with repositories gives it one");
    }
    if (session.busy() || session.job().isPresent() || session.closingRequest().isPresent()) {
      return refused(
          Refusal.Code.SESSION_BUSY,
          "The session is at work, waits for a decision or has a job; ask again when it is idle and its job is null");
    }
    int number = wanted.job().targets().getFirst().repository();
    return session.configuration().repositories().get(number - 1).patch() == null
        ? refused(
            Refusal.Code.NOTHING_TO_PUSH, "The session has changed nothing in this repository")
        : Optional.empty();
  }

  private static Optional<Acceptance> refused(Refusal.Code code, String why) {
    return Optional.of(new Acceptance.Unready(Refusal.of(code, why)));
  }

  private Turn job(Session session, Wanted wanted, String baseUrl) {
    Instant now = clock.instant();
    Stamp stamp = Stamp.after(session.updatedAt(), now);
    return NewJob.of(session, stamp, baseUrl, startGrace.dueAt(now), wanted.job(), wanted.keyId());
  }

  private List<Write> writes(Session session, Turn job, @Nullable Idempotency idempotency) {
    List<Write> writes =
        NewJob.writes(
            job,
            TurnQueue.asLeft(TurnQueue.asSeen(session), session)
                .set(SessionItem.UPDATED, job.firstStamp())
                .when("attribute_not_exists(#job) AND attribute_not_exists(#plan)")
                .when("#working = :working AND #turn_seq = :seen")
                .with("working", SessionItem.WORKING, false)
                .with("seen", SessionItem.TURN_NUMBER, session.turns().number()));
    if (idempotency != null) {
      writes.add(idempotencyRecords.keep(session.key().workspace(), idempotency, job.receipt()));
    }
    return writes;
  }

  /// @param kept the answer to the same request, if it was sent before
  private record Seen(Optional<IdempotencyRecord> kept, Optional<Session> session) {}

  private Seen seen(SessionKey key, @Nullable Idempotency idempotency) {
    Layout.Key meta = Layout.meta(key);
    Layout.Key kept =
        Layout.idempotency(key.workspace(), idempotency == null ? "" : idempotency.key());
    Map<Layout.Key, Item> read =
        table.items(idempotency == null ? List.of(meta) : List.of(meta, kept));
    return new Seen(idempotencyRecords.read(read.get(kept)), Sessions.visible(read.get(meta)));
  }
}
