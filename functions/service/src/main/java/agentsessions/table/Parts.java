package agentsessions.table;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The values of an item that is being read; one that must be there and is not is a bug.
public final class Parts {
  private final Map<String, Object> values = new HashMap<>();

  void put(String name, Object value) {
    values.put(name, value);
  }

  public <V> V get(Attribute<?, V> attribute) {
    V value = find(attribute);
    if (value == null) {
      throw new IllegalStateException("an item lacks its attribute " + attribute.name());
    }
    return value;
  }

  public <V> V get(Attribute<?, V> attribute, V otherwise) {
    V value = find(attribute);
    return value == null ? otherwise : value;
  }

  public int count(Attribute<?, Long> attribute) {
    return Math.toIntExact(get(attribute, 0L));
  }

  /// By its name; 0 where it is not there.
  public long number(String name) {
    return values.get(name) instanceof Long number ? number : 0;
  }

  public boolean flag(Attribute<?, Boolean> attribute) {
    return get(attribute, false);
  }

  @SuppressWarnings("unchecked") // only the schema puts, and it takes each value from its converter
  public <V> @Nullable V find(Attribute<?, V> attribute) {
    return (V) values.get(attribute.name());
  }
}
