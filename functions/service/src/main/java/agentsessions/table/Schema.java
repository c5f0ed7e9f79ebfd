package agentsessions.table;

import java.util.HashMap;
import java.util.Map;

/// The set of attributes that items of one kind may have. Each is declared once, and a change of
/// such an item may name no other.
public class Schema {
  private final Map<String, Attribute<?>> known = new HashMap<>();

  public Schema() {
    Attribute.OF_TABLE.forEach(this::know);
  }

  /// Declares an attribute that is read and changed separately, not as a part of a record.
  public final <V> Attribute<V> attribute(String name, AttributeFormat<V> format) {
    Attribute<V> attribute = new Attribute<>(name, format);
    if (known.putIfAbsent(name, attribute) != null) {
      throw new IllegalStateException("an attribute is named twice: " + name);
    }
    return attribute;
  }

  /// Adds an attribute that another schema declares.
  final void know(Attribute<?> attribute) {
    known.put(attribute.name(), attribute);
  }

  /// Adds all attributes of another schema.
  public Schema also(Schema other) {
    known.putAll(other.known);
    return this;
  }

  /// Begins a change of the item with this key.
  public final Change change(Layout.Key key) {
    return new Change(key, known);
  }
}
