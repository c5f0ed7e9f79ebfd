package agentsessions.table;

import java.time.Instant;
import java.util.List;

/// One attribute: its name, and how its value is kept. What it is of a record, the {@link Kind} of
/// that says where it names it.
public record Attribute<V>(String name, Kept<V> kept) {
  public static final Attribute<String> PK = new Attribute<>("PK", Kept.TEXT);
  public static final Attribute<String> SK = new Attribute<>("SK", Kept.TEXT);

  /// Where an item stands in the sparse index: {@link Shards}.
  public static final Attribute<String> LIVE = new Attribute<>("LIVE", Kept.TEXT);

  /// When it is looked at there.
  public static final Attribute<Instant> DUE_AT = new Attribute<>("due_at", Kept.INSTANT);

  /// What the table's time to live looks at.
  public static final Attribute<Instant> EXPIRES_AT = new Attribute<>("expires_at", Kept.SECONDS);

  /// Those that the table itself looks at: any item may have them.
  static final List<Attribute<?>> OF_TABLE = List.of(PK, SK, LIVE, DUE_AT, EXPIRES_AT);
}
