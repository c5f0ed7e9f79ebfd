package agentsessions.store.export;

import agentsessions.aws.ExportRuns;
import agentsessions.session.Export;
import agentsessions.session.ExportId;
import agentsessions.session.Session;
import agentsessions.session.id.SessionKey;
import agentsessions.store.session.Sessions;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.Layout;
import agentsessions.table.Table;
import agentsessions.table.item.ExportItem;
import io.micronaut.context.BeanProvider;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The exports of sessions, one for each change. A builder renews a lease while it is alive; one
/// that is silent for a minute has failed, and its export is begun again when it is next asked for.
///
/// Why: decision 019.
@Singleton
public final class Exports {
  private static final Duration LEASE = Duration.ofMinutes(1);

  private final Table table;
  private final BeanProvider<ExportRuns> runs;
  private final Clock clock;

  /// @param runs resolved when first used, since only a process that is asked for exports starts
  ///   any
  public Exports(Table table, BeanProvider<ExportRuns> runs, Clock clock) {
    this.table = table;
    this.runs = runs;
    this.clock = clock;
  }

  /// `sessionFound` tells an unknown export of a session from an unknown session.
  public record Found(boolean sessionFound, Optional<Export> export) {}

  /// The export of a session as of its last change; begun, unless it is there or under way.
  public Export ask(Session session, String baseUrl) {
    Export first = Export.of(session, baseUrl, lease());
    return switch (table.write(List.of(ExportItem.put(first).put()))) {
      case Table.Outcome.Committed _ -> started(first);
      case Table.Outcome.Refused refused ->
          again(refused.old(0).map(ExportItem::read).orElseThrow());
    };
  }

  public Found find(SessionKey key, ExportId id) {
    Layout.Key meta = Layout.meta(key);
    Layout.Key record = Layout.export(key, id);
    Map<Layout.Key, Item> items = table.items(List.of(meta, record));
    boolean there = Sessions.visible(items.get(meta)).isPresent();
    Optional<Export> export = Optional.ofNullable(items.get(record)).map(ExportItem::read);
    return new Found(there, export.filter(_ -> there));
  }

  /// Renews the lease of a builder. False where the export is no longer its own, or its session is
  /// gone: then the builder ends.
  public boolean renew(Export export) {
    return table.write(own(export).set(ExportItem.LEASE_UNTIL, lease()).update()).committed();
  }

  /// Marks the export as ready. False where it is no longer the builder's own.
  public boolean finish(Export export) {
    return ended(export, ExportItem.READY);
  }

  /// Marks the export as failed.
  public void fail(Export export) {
    boolean _ = ended(export, ExportItem.FAILED);
  }

  private boolean ended(Export export, String status) {
    Change change = own(export).set(ExportItem.STATUS, status).remove(ExportItem.LEASE_UNTIL);
    return table.write(List.of(change.update())).committed();
  }

  private Export again(Export known) {
    if (!(known.at(clock.instant()) instanceof Export.State.Failed)) {
      return known;
    }
    Export next = known.again(lease());
    Change change =
        ExportItem.put(next)
            .when("#attempt = :attempt")
            .with("attempt", ExportItem.ATTEMPT, known.attempt());
    return switch (table.write(List.of(change.put()))) {
      case Table.Outcome.Committed _ -> started(next);
      case Table.Outcome.Refused refused -> refused.old(0).map(ExportItem::read).orElse(known);
    };
  }

  private Export started(Export export) {
    runs.get().start(export);
    return export;
  }

  private Change own(Export export) {
    return ExportItem.change(export)
        .when("#attempt = :attempt AND #status = :working AND #lease_until > :now")
        .with("attempt", ExportItem.ATTEMPT, export.attempt())
        .with("working", ExportItem.STATUS, ExportItem.WORKING)
        .with("now", ExportItem.LEASE_UNTIL, clock.instant());
  }

  private Instant lease() {
    return clock.instant().plus(LEASE);
  }
}
