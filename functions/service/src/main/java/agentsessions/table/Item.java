package agentsessions.table;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/// Reads the attributes of one item by name and type; a missing one that must be there is a bug.
public record Item(Map<String, AttributeValue> attributes) {

  public boolean has(String name) {
    return attributes.containsKey(name);
  }

  public String text(String name, String otherwise) {
    return find(name).map(AttributeValue::s).orElse(otherwise);
  }

  public String requiredText(String name) {
    return required(name).s();
  }

  public @Nullable String nullableText(String name) {
    return find(name).map(AttributeValue::s).orElse(null);
  }

  public long number(String name) {
    return Long.parseLong(required(name).n());
  }

  public long number(String name, long otherwise) {
    return has(name) ? number(name) : otherwise;
  }

  public @Nullable Long nullableNumber(String name) {
    return has(name) ? Long.valueOf(number(name)) : null;
  }

  public int count(String name) {
    return find(name).map(value -> Integer.parseInt(value.n())).orElse(0);
  }

  public boolean flag(String name) {
    return find(name).map(AttributeValue::bool).orElse(false);
  }

  public ByteBuffer binary(String name) {
    return required(name).b().asByteBuffer();
  }

  /// A map among the attributes.
  public Optional<Item> map(String name) {
    return find(name).map(AttributeValue::m).map(Item::new);
  }

  public AttributeValue value(String name) {
    return required(name);
  }

  public UUID uuid(String name) {
    return UUID.fromString(requiredText(name));
  }

  /// About how large it is, as DynamoDB counts.
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

  private Optional<AttributeValue> find(String name) {
    return Optional.ofNullable(attributes.get(name));
  }

  private AttributeValue required(String name) {
    return find(name)
        .orElseThrow(() -> new IllegalStateException("an item lacks its attribute " + name));
  }
}
