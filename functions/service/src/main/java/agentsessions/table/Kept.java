package agentsessions.table;

import agentsessions.session.TurnError;
import agentsessions.session.id.Stamp;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverter;
import software.amazon.awssdk.enhanced.dynamodb.AttributeValueType;
import software.amazon.awssdk.enhanced.dynamodb.EnhancedType;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/// The stored form of one type of values. All are named here, since the client's own would keep an
/// instant as text, and looking for them costs a cold start.
public record Kept<V>(
    EnhancedType<V> type,
    AttributeValueType attributeValueType,
    Function<V, AttributeValue> written,
    Function<AttributeValue, V> read)
    implements AttributeConverter<V> {

  public static final Kept<String> TEXT =
      of(String.class, AttributeValueType.S, Values::of, AttributeValue::s);

  public static final Kept<Long> NUMBER =
      of(Long.class, AttributeValueType.N, Values::of, Kept::number);

  public static final Kept<Boolean> FLAG =
      of(Boolean.class, AttributeValueType.BOOL, Values::of, AttributeValue::bool);

  public static final Kept<UUID> ID =
      of(
          UUID.class,
          AttributeValueType.S,
          id -> Values.of(id.toString()),
          value -> UUID.fromString(value.s()));

  /// Microseconds since 1970.
  public static final Kept<Stamp> STAMP =
      of(Stamp.class, AttributeValueType.N, Values::of, value -> new Stamp(number(value)));

  /// Milliseconds since 1970.
  public static final Kept<Instant> INSTANT =
      of(
          Instant.class,
          AttributeValueType.N,
          Values::of,
          value -> Instant.ofEpochMilli(number(value)));

  public static final Kept<Map<String, String>> TEXTS =
      new Kept<>(
          EnhancedType.mapOf(String.class, String.class),
          AttributeValueType.M,
          Values::of,
          Kept::texts);

  public static final Kept<List<String>> NAMES = list(String.class, Values::of, AttributeValue::s);

  public static final Kept<TurnError> ERROR =
      of(TurnError.class, AttributeValueType.M, Values::of, value -> error(new Item(value.m())));

  static <V> Kept<V> map(
      Class<V> type, Function<V, AttributeValue> written, Function<Item, V> read) {
    return of(type, AttributeValueType.M, written, value -> read.apply(new Item(value.m())));
  }

  public static <V> Kept<List<V>> list(
      Class<V> type, Function<V, AttributeValue> written, Function<AttributeValue, V> read) {
    return new Kept<>(
        EnhancedType.listOf(type),
        AttributeValueType.L,
        values -> AttributeValue.fromL(values.stream().map(written).toList()),
        value -> value.l().stream().map(read).toList());
  }

  private static <V> Kept<V> of(
      Class<V> type,
      AttributeValueType as,
      Function<V, AttributeValue> written,
      Function<AttributeValue, V> read) {
    return new Kept<>(EnhancedType.of(type), as, written, read);
  }

  @Override
  public AttributeValue transformFrom(V value) {
    return written.apply(value);
  }

  @Override
  public V transformTo(AttributeValue value) {
    return read.apply(value);
  }

  private static long number(AttributeValue value) {
    return Long.parseLong(value.n());
  }

  private static Map<String, String> texts(AttributeValue value) {
    return value.m().entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue().s()));
  }

  private static TurnError error(Item item) {
    return new TurnError(
        item.requiredText("code"), item.requiredText("message"), item.flag("retryable"));
  }
}
