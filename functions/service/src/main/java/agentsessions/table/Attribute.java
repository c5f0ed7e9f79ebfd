package agentsessions.table;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.mapper.ImmutableAttribute;

/// One attribute of the items that hold records of type `T`: its name, how it is kept, and what it
/// is of a record (null: it is left out).
public record Attribute<T, V>(String name, Kept<V> kept, Function<T, @Nullable V> of) {

  ImmutableAttribute<T, Parts, V> described(Class<T> record) {
    return ImmutableAttribute.builder(record, Parts.class, kept.type())
        .name(name)
        .attributeConverter(kept)
        .getter(of)
        .setter((parts, value) -> parts.put(name, value))
        .build();
  }
}
