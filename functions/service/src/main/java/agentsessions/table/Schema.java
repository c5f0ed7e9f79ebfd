package agentsessions.table;

import java.util.HashMap;
import java.util.Map;

/// The attributes that items of one kind may have, each named once. No change of such an item may
/// name another.
public class Schema {
  private final Map<String, Attribute<?>> known = new HashMap<>();

  public Schema() {
    Attribute.OF_TABLE.forEach(this::know);
  }

  /// One that is written and read by itself.
  public final <V> Attribute<V> attribute(String name, Kept<V> kept) {
    Attribute<V> attribute = new Attribute<>(name, kept);
    if (known.putIfAbsent(name, attribute) != null) {
      throw new IllegalStateException("an attribute is named twice: " + name);
    }
    return attribute;
  }

  /// One that is named elsewhere.
  final void know(Attribute<?> attribute) {
    known.put(attribute.name(), attribute);
  }

  /// All that the items of another kind may have, too.
  public Schema also(Schema other) {
    known.putAll(other.known);
    return this;
  }

  /// Of the item with this key.
  public final Change change(Layout.Key key) {
    return new Change(key, known);
  }
}
