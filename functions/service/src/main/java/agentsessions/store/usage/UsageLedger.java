package agentsessions.store.usage;

import agentsessions.session.DailyUsage;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.Workspace;
import agentsessions.session.usage.Usage;
import agentsessions.session.usage.UsageTotal;
import agentsessions.table.Attribute;
import agentsessions.table.AttributeFormat;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.Layout;
import agentsessions.table.Schema;
import agentsessions.table.Table;
import agentsessions.table.Write;
import agentsessions.table.item.UsageTotalItem;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
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

  private static final Schema OF_DAY = new Schema();
  private static final Attribute<Long> COST = OF_DAY.attribute("cost", AttributeFormat.NUMBER);

  private static final Schema SUM = new Schema().also(UsageTotalItem.SCHEMA);
  private static final Attribute<Long> TURNS = SUM.attribute("turns", AttributeFormat.NUMBER);
  private static final Attribute<Long> AGAIN = SUM.attribute("again", AttributeFormat.NUMBER);
  private static final Attribute<Long> AGAIN_MILLIS =
      SUM.attribute("again_millis", AttributeFormat.NUMBER);

  private final Table table;

  public UsageLedger(Table table) {
    this.table = table;
  }

  /// The writes that add a turn of a session, to be made with those that settle it.
  public static List<Write> add(SessionKey key, Usage total, List<DailyUsage> tallies) {
    int shard = Math.floorMod(key.id().hashCode(), SHARDS);
    List<Write> writes = new ArrayList<>();
    tallies.forEach(tally -> writes.add(add(key.workspace(), shard, tally)));
    long cost = UsageTotal.of(total).ceilingCost();
    if (cost > 0) {
      LocalDate day = tallies.getFirst().of().day();
      writes.add(
          OF_DAY
              .change(Layout.spent(key.workspace(), day, shard))
              .set(Attribute.EXPIRES_AT, expiry(day))
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
      String day = item.key().sk().split("#", 2)[0];
      days.merge(LocalDate.parse(day), item.get(COST, 0L), Long::sum);
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
        SUM.change(Layout.sum(workspace, tally.of(), shard))
            .set(Attribute.EXPIRES_AT, expiry(tally.of().day()))
            .add(TURNS, tally.turns())
            .add(AGAIN, tally.again())
            .add(AGAIN_MILLIS, tally.againMillis());
    return UsageTotalItem.SCHEMA.add(change, tally.spent()).update();
  }

  private static DailyUsage read(Item item) {
    return new DailyUsage(
        Layout.tally(item.key().sk()),
        item.get(TURNS, 0L),
        UsageTotalItem.SCHEMA.read(item),
        item.get(AGAIN, 0L),
        item.get(AGAIN_MILLIS, 0L));
  }

  private static Instant expiry(LocalDate day) {
    return day.atStartOfDay(ZoneOffset.UTC).plus(KEPT).toInstant();
  }
}
