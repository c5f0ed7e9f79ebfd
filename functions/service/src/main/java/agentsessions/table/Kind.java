package agentsessions.table;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.mapper.ImmutableAttribute;
import software.amazon.awssdk.enhanced.dynamodb.mapper.StaticImmutableTableSchema;

/// The items that hold records of one type, read and put whole. What an item has besides is left
/// out.
public final class Kind<T> {
  private final TableSchema<T> schema;
  private final Function<T, Layout.Key> key;

  public Kind(
      Class<T> record,
      Function<T, Layout.Key> key,
      BiFunction<Layout.Key, Parts, T> made,
      List<Attribute<T, ?>> attributes) {
    this.key = key;
    Attribute<T, String> pk = new Attribute<>("PK", Kept.TEXT, of -> key.apply(of).pk());
    Attribute<T, String> sk = new Attribute<>("SK", Kept.TEXT, of -> key.apply(of).sk());
    List<Attribute<T, ?>> all = new ArrayList<>(attributes);
    all.add(pk);
    all.add(sk);
    this.schema =
        StaticImmutableTableSchema.builder(record, Parts.class)
            .newItemBuilder(
                Parts::new,
                parts -> made.apply(new Layout.Key(parts.get(pk), parts.get(sk)), parts))
            .attributes(
                all.stream()
                    .<ImmutableAttribute<T, Parts, ?>>map(one -> one.described(record))
                    .toList())
            .attributeConverterProviders(List.of()) // each attribute has its converter
            .build();
  }

  public T read(Item item) {
    return schema.mapToItem(item.attributes());
  }

  /// The whole item, as it is written where there is none yet.
  public Change put(T record) {
    return Change.of(key.apply(record), schema.itemToMap(record, true));
  }
}
