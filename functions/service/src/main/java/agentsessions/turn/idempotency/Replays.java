package agentsessions.turn.idempotency;

import agentsessions.session.Acceptance;
import agentsessions.session.Idempotency;
import agentsessions.session.KeptAnswer;
import agentsessions.session.Receipt;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.Workspace;
import agentsessions.store.session.Turns;
import agentsessions.table.Item;
import agentsessions.table.Layout;
import agentsessions.table.Table;
import agentsessions.table.Write;
import agentsessions.table.item.AnswerItem;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What is kept for an `Idempotency-Key` for 24 hours, so that a message that is sent twice is
/// accepted once and answered twice.
public final class Replays {
  private static final Duration KEPT = Duration.ofHours(24);

  private final Table table;
  private final Turns turns;
  private final Clock clock;

  public Replays(Table table, Turns turns, Clock clock) {
    this.table = table;
    this.turns = turns;
    this.clock = clock;
  }

  public Optional<KeptAnswer> find(Workspace workspace, @Nullable Idempotency idempotency) {
    return Optional.ofNullable(idempotency)
        .flatMap(known -> table.item(Layout.idempotency(workspace, known.key())))
        .flatMap(this::read);
  }

  public Optional<KeptAnswer> read(@Nullable Item item) {
    return Optional.ofNullable(item).map(AnswerItem::read).filter(this::isCurrent);
  }

  /// Time to live is housekeeping only: an expired record counts as absent.
  private boolean isCurrent(KeptAnswer kept) {
    return kept.expiresAt().getEpochSecond() > clock.instant().getEpochSecond();
  }

  public Write keep(Workspace workspace, Idempotency request, Receipt receipt) {
    Instant now = clock.instant();
    KeptAnswer kept = new KeptAnswer(workspace, request, receipt, null, now.plus(KEPT));
    return AnswerItem.put(kept)
        .when("attribute_not_exists(#PK) OR #expires_at <= :now")
        .with("now", now.getEpochSecond())
        .put();
  }

  /// The answer to a second request for the same session.
  public Acceptance created(
      Workspace workspace, Optional<KeptAnswer> found, @Nullable Idempotency request) {
    return answer(found, request, older -> OlderAnswer.created(workspace, older));
  }

  /// The answer to a follow-up that was sent before.
  public Acceptance followUp(
      SessionKey key, Optional<KeptAnswer> found, @Nullable Idempotency request) {
    return answer(
        found, request, older -> OlderAnswer.followUp(older, turn -> turns.load(key.turn(turn))));
  }

  /// @param older reads what was kept before receipts were
  private static Acceptance answer(
      Optional<KeptAnswer> found,
      @Nullable Idempotency request,
      Function<String, Optional<Receipt>> older) {
    if (request == null || found.isEmpty()) {
      throw new IllegalStateException("a new id exists already");
    }
    KeptAnswer kept = found.get();
    if (!kept.request().bodyHash().equals(request.bodyHash())) {
      return new Acceptance.KeyReused();
    }
    return Optional.ofNullable(kept.receipt())
        .or(() -> Optional.ofNullable(kept.older()).flatMap(older))
        .<Acceptance>map(Acceptance.Replayed::new)
        .orElseGet(Acceptance.NoSession::new);
  }
}
