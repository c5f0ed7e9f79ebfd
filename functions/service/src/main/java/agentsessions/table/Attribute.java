package agentsessions.table;

import java.time.Instant;
import java.util.List;

/// An attribute of items: its name in the table and its stored form. An [ItemSchema] says which
/// part of a record an attribute holds.
public record Attribute<V>(String name, AttributeFormat<V> format) {
  public static final Attribute<String> PK = new Attribute<>("PK", AttributeFormat.TEXT);
  public static final Attribute<String> SK = new Attribute<>("SK", AttributeFormat.TEXT);

  /// The item's partition in the sparse index: {@link Shards}.
  public static final Attribute<String> LIVE = new Attribute<>("LIVE", AttributeFormat.TEXT);

  /// The time from which the sweep looks at the item.
  public static final Attribute<Instant> DUE_AT =
      new Attribute<>("due_at", AttributeFormat.INSTANT);

  /// The time after which DynamoDB's time to live removes the item.
  public static final Attribute<Instant> EXPIRES_AT =
      new Attribute<>("expires_at", AttributeFormat.SECONDS);

  /// The attributes that any item may have, since they belong to the table and its index.
  static final List<Attribute<?>> OF_TABLE = List.of(PK, SK, LIVE, DUE_AT, EXPIRES_AT);
}
