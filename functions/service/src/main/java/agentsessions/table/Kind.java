package agentsessions.table;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/// The items, or the maps within items, that hold records of one type, read and put whole. What
/// they have besides is left out.
public final class Kind<T> extends Schema {
  private final Function<Item, T> read;
  private final List<Part<T, ?>> parts = new ArrayList<>();

  private record Part<T, V>(Attribute<V> attribute, Function<T, @Nullable V> of) {
    <W> Part<W, V> within(Function<W, T> whole) {
      return new Part<>(attribute, within -> of.apply(whole.apply(within)));
    }

    void write(T record, Map<String, AttributeValue> item) {
      V value = of.apply(record);
      if (value != null) {
        item.put(attribute.name(), attribute.kept().written().apply(value));
      }
    }
  }

  /// Of maps within items.
  public Kind(Function<Item, T> read) {
    this.read = read;
  }

  /// Of items.
  public Kind(Function<T, Layout.Key> key, Function<Item, T> read) {
    this(read);
    parts.add(new Part<>(Attribute.PK, record -> key.apply(record).pk()));
    parts.add(new Part<>(Attribute.SK, record -> key.apply(record).sk()));
  }

  /// One that holds a part of the record; null: it is left out.
  public <V> Attribute<V> part(String name, Kept<V> kept, Function<T, @Nullable V> of) {
    Attribute<V> attribute = attribute(name, kept);
    parts.add(new Part<>(attribute, of));
    return attribute;
  }

  /// The same of one that is named elsewhere.
  public <V> Kind<T> also(Attribute<V> attribute, Function<T, @Nullable V> of) {
    know(attribute);
    parts.add(new Part<>(attribute, of));
    return this;
  }

  /// One that is true or left out.
  public Attribute<Boolean> flag(String name, Predicate<T> of) {
    return part(name, Kept.FLAG, record -> of.test(record) ? true : null);
  }

  /// One that is a number other than 0 or left out.
  public Attribute<Integer> count(String name, Function<T, @Nullable Integer> of) {
    return part(
        name,
        Kept.COUNT,
        record -> {
          Integer count = of.apply(record);
          return count == null || count == 0 ? null : count;
        });
  }

  /// All that hold a record which is a part of this one.
  public <P> Kind<T> also(Kind<P> kind, Function<T, P> of) {
    Schema _ = also(kind);
    kind.parts.forEach(part -> parts.add(part.within(of)));
    return this;
  }

  public T read(Item item) {
    return read.apply(item);
  }

  /// The whole item, as it is written where there is none yet.
  public Change put(T record) {
    Map<String, AttributeValue> item = written(record);
    return change(new Item(item).key()).set(item);
  }

  /// Adds to the numbers of an item; all parts of the record are numbers.
  public Change add(Change change, T more) {
    written(more).forEach(change::add);
    return change;
  }

  public Kept<T> kept() {
    return new Kept<>(
        record -> AttributeValue.fromM(written(record)), value -> read.apply(new Item(value.m())));
  }

  private Map<String, AttributeValue> written(T record) {
    Map<String, AttributeValue> item = new HashMap<>();
    parts.forEach(part -> part.write(record, item));
    return item;
  }
}
