package agentsessions.store.usage;

import agentsessions.session.DailyUsage;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.Workspace;
import agentsessions.session.usage.Usage;
import agentsessions.session.usage.UsageTotal;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.Layout;
import agentsessions.table.Table;
import agentsessions.table.Write;
import agentsessions.table.item.SpentValues;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// The usage of a workspace's turns, summed by day, agent, model and API key. The writes that
/// settle a turn also add it up, in a few shards, so that sessions seldom contend for one item.
@Singleton
public final class UsageLedger {
  /// The time for which a day is kept.
  public static final Duration KEPT = Duration.ofDays(400);

  private static final int SHARDS = 4;
  private static final String EXPIRES = "expires_at";
  private static final String COST = "cost";
  private static final String TURNS = "turns";
  private static final String AGAIN = "again";
  private static final String AGAIN_MILLIS = "again_millis";

  private final Table table;

  public UsageLedger(Table table) {
    this.table = table;
  }

  /// The writes that add a turn of a session, to be made with those that settle it.
  public static List<Write> add(SessionKey session, Usage total, List<DailyUsage> tallies) {
    int shard = Math.floorMod(session.id().hashCode(), SHARDS);
    List<Write> writes = new ArrayList<>();
    tallies.forEach(tally -> writes.add(add(session.workspace(), shard, tally)));
    long cost = UsageTotal.of(total).ceilingCost();
    if (cost > 0) {
      LocalDate day = tallies.getFirst().of().day();
      writes.add(
          Change.of(Layout.spent(session.workspace(), day, shard))
              .set(EXPIRES, expiry(day))
              .add(COST, cost)
              .update());
    }
    return writes;
  }

  /// The cost of turns by day, in micro-dollars, estimates included; days without cost are left
  /// out.
  public SortedMap<LocalDate, Long> spent(Workspace workspace, LocalDate first, LocalDate last) {
    SortedMap<LocalDate, Long> days = new TreeMap<>();
    String end = last + Layout.GREATEST;
    for (Item item :
        table.range(Layout.spent(workspace), first.toString(), end, true, Integer.MAX_VALUE)) {
      String day = item.requiredText("SK").split("#", 2)[0];
      days.merge(LocalDate.parse(day), item.number(COST, 0), Long::sum);
    }
    return days;
  }

  /// The tallies of some days, the last included; at most `most` of them, each of one shard.
  public List<DailyUsage> list(Workspace workspace, LocalDate first, LocalDate last, int most) {
    return table
        .range(Layout.sums(workspace), first.toString(), last + Layout.GREATEST, true, most)
        .stream()
        .map(UsageLedger::read)
        .toList();
  }

  private static Write add(Workspace workspace, int shard, DailyUsage tally) {
    Change change =
        Change.of(Layout.sum(workspace, tally.of(), shard))
            .set(EXPIRES, expiry(tally.of().day()))
            .add(TURNS, tally.turns())
            .add(AGAIN, tally.again())
            .add(AGAIN_MILLIS, tally.againMillis());
    return SpentValues.add(change, tally.spent()).update();
  }

  private static DailyUsage read(Item item) {
    return new DailyUsage(
        Layout.tally(item.requiredText("SK")),
        item.number(TURNS, 0),
        SpentValues.read(name -> item.number(name, 0)),
        item.number(AGAIN, 0),
        item.number(AGAIN_MILLIS, 0));
  }

  private static long expiry(LocalDate day) {
    return day.atStartOfDay(ZoneOffset.UTC).plus(KEPT).toEpochSecond();
  }
}
