package agentsessions.table;

import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/// An item as it was read, or a map within one: values by attribute. A missing attribute that is
/// required is a bug and throws.
public record Item(Map<String, AttributeValue> attributes) {

  public <V> @Nullable V find(Attribute<V> attribute) {
    AttributeValue value = attributes.get(attribute.name());
    return value == null ? null : attribute.format().read().apply(value);
  }

  public <V> V get(Attribute<V> attribute) {
    V value = find(attribute);
    if (value == null) {
      throw new IllegalStateException("an item lacks its attribute " + attribute.name());
    }
    return value;
  }

  public <V> V get(Attribute<V> attribute, V otherwise) {
    V value = find(attribute);
    return value == null ? otherwise : value;
  }

  public <V> Optional<V> optional(Attribute<V> attribute) {
    return Optional.ofNullable(find(attribute));
  }

  public boolean flag(Attribute<Boolean> attribute) {
    return get(attribute, false);
  }

  public boolean has(Attribute<?> attribute) {
    return attributes.containsKey(attribute.name());
  }

  public Layout.Key key() {
    return new Layout.Key(get(Attribute.PK), get(Attribute.SK));
  }

  /// The approximate size in bytes, by DynamoDB's way of counting.
  public long bytes() {
    return attributes.entrySet().stream()
        .mapToLong(named -> named.getKey().length() + bytes(named.getValue()))
        .sum();
  }

  private static long bytes(AttributeValue value) {
    return switch (value.type()) {
      case S -> value.s().length();
      case N -> value.n().length();
      case B -> value.b().asByteArrayUnsafe().length;
      case M -> new Item(value.m()).bytes();
      case L -> value.l().stream().mapToLong(Item::bytes).sum();
      default -> 1;
    };
  }
}
