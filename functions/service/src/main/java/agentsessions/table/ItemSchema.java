package agentsessions.table;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/// The mapping of one record type to items, or to maps within items: reads and writes whole
/// records. Attributes that hold no part of the record are changed one by one instead.
public final class ItemSchema<T> extends Schema {
  private final Function<Item, T> read;
  private final List<Part<T, ?>> parts = new ArrayList<>();

  private record Part<T, V>(Attribute<V> attribute, Function<T, @Nullable V> of) {
    <W> Part<W, V> within(Function<W, T> whole) {
      return new Part<>(attribute, within -> of.apply(whole.apply(within)));
    }

    void write(T record, Map<String, AttributeValue> item) {
      V value = of.apply(record);
      if (value != null) {
        item.put(attribute.name(), attribute.format().written().apply(value));
      }
    }
  }

  /// A mapping to maps within items.
  public ItemSchema(Function<Item, T> read) {
    this.read = read;
  }

  /// A mapping to items with a key.
  public ItemSchema(Function<T, Layout.Key> key, Function<Item, T> read) {
    this(read);
    parts.add(new Part<>(Attribute.PK, record -> key.apply(record).pk()));
    parts.add(new Part<>(Attribute.SK, record -> key.apply(record).sk()));
  }

  /// Declares an attribute for a part of the record; a null part is left out.
  public <V> Attribute<V> part(
      String name, AttributeFormat<V> format, Function<T, @Nullable V> of) {
    Attribute<V> attribute = attribute(name, format);
    parts.add(new Part<>(attribute, of));
    return attribute;
  }

  /// The same with an attribute that another kind declares.
  public <V> ItemSchema<T> also(Attribute<V> attribute, Function<T, @Nullable V> of) {
    know(attribute);
    parts.add(new Part<>(attribute, of));
    return this;
  }

  /// Declares an attribute for a boolean part; false is left out.
  public Attribute<Boolean> flag(String name, Predicate<T> of) {
    return part(name, AttributeFormat.FLAG, record -> of.test(record) ? true : null);
  }

  /// Declares an attribute for a number; 0 and null are left out.
  public Attribute<Integer> count(String name, Function<T, @Nullable Integer> of) {
    return part(
        name,
        AttributeFormat.COUNT,
        record -> {
          Integer count = of.apply(record);
          return count == null || count == 0 ? null : count;
        });
  }

  /// Includes all attributes of another mapping, for a record that is a part of this one.
  public <P> ItemSchema<T> also(ItemSchema<P> schema, Function<T, P> of) {
    Schema _ = also(schema);
    schema.parts.forEach(part -> parts.add(part.within(of)));
    return this;
  }

  public T read(Item item) {
    return read.apply(item);
  }

  /// A change that sets the whole record; to be put as a new item.
  public Change put(T record) {
    Map<String, AttributeValue> item = written(record);
    return change(new Item(item).key()).set(item);
  }

  /// Adds each number of a record to that of the item. All parts of the record must be numbers.
  public Change add(Change change, T more) {
    written(more).forEach(change::add);
    return change;
  }

  public AttributeFormat<T> format() {
    return new AttributeFormat<>(
        record -> AttributeValue.fromM(written(record)), value -> read.apply(new Item(value.m())));
  }

  private Map<String, AttributeValue> written(T record) {
    Map<String, AttributeValue> item = new HashMap<>();
    parts.forEach(part -> part.write(record, item));
    return item;
  }
}
