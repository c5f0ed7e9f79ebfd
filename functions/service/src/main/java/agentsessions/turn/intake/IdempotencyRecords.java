package agentsessions.turn.intake;

import agentsessions.session.Acceptance;
import agentsessions.session.Idempotency;
import agentsessions.session.IdempotencyRecord;
import agentsessions.session.Receipt;
import agentsessions.session.id.Workspace;
import agentsessions.table.Attribute;
import agentsessions.table.Item;
import agentsessions.table.Layout;
import agentsessions.table.Table;
import agentsessions.table.Write;
import agentsessions.table.item.IdempotencyItem;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The records of idempotency keys, kept for 24 hours, so that a message that is sent twice is
/// accepted once and answered twice.
///
/// Why: decision 010.
@Singleton
public final class IdempotencyRecords {
  private static final Duration KEPT = Duration.ofHours(24);

  private final Table table;
  private final Clock clock;

  public IdempotencyRecords(Table table, Clock clock) {
    this.table = table;
    this.clock = clock;
  }

  Optional<IdempotencyRecord> find(Workspace workspace, @Nullable Idempotency idempotency) {
    return Optional.ofNullable(idempotency)
        .flatMap(known -> table.item(Layout.idempotency(workspace, known.key())))
        .flatMap(this::read);
  }

  Optional<IdempotencyRecord> read(@Nullable Item item) {
    return Optional.ofNullable(item).map(IdempotencyItem::read).filter(this::isCurrent);
  }

  /// Time to live is housekeeping only: an expired record counts as absent.
  private boolean isCurrent(IdempotencyRecord kept) {
    return kept.expiresAt().getEpochSecond() > clock.instant().getEpochSecond();
  }

  Write keep(Workspace workspace, Idempotency request, Receipt receipt) {
    Instant now = clock.instant();
    IdempotencyRecord kept = new IdempotencyRecord(workspace, request, receipt, now.plus(KEPT));
    return IdempotencyItem.put(kept)
        .when("attribute_not_exists(#PK) OR #expires_at <= :now")
        .with("now", Attribute.EXPIRES_AT, now)
        .put();
  }

  /// The answer to a request that was sent before.
  static Acceptance answer(Optional<IdempotencyRecord> found, @Nullable Idempotency request) {
    if (request == null || found.isEmpty()) {
      throw new IllegalStateException("a new id exists already");
    }
    IdempotencyRecord kept = found.get();
    if (!kept.request().bodyHash().equals(request.bodyHash())) {
      return new Acceptance.KeyReused();
    }
    return new Acceptance.Replayed(kept.receipt());
  }
}
