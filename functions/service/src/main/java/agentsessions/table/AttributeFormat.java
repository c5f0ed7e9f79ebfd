package agentsessions.table;

import agentsessions.session.id.ArtifactId;
import agentsessions.session.id.RequestId;
import agentsessions.session.id.SessionId;
import agentsessions.session.id.Stamp;
import agentsessions.session.id.TurnId;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/// The stored form of a type: a conversion from its values to attribute values, and back.
public record AttributeFormat<V>(
    Function<V, AttributeValue> written, Function<AttributeValue, V> read) {
  public static final AttributeFormat<String> TEXT =
      new AttributeFormat<>(AttributeValue::fromS, AttributeValue::s);

  public static final AttributeFormat<Long> NUMBER =
      new AttributeFormat<>(
          number -> AttributeValue.fromN(Long.toString(number)),
          value -> Long.parseLong(value.n()));

  public static final AttributeFormat<Boolean> FLAG =
      new AttributeFormat<>(AttributeValue::fromBool, AttributeValue::bool);

  public static final AttributeFormat<ByteBuffer> BYTES =
      new AttributeFormat<>(
          bytes -> AttributeValue.fromB(SdkBytes.fromByteBuffer(bytes)),
          value -> value.b().asByteBuffer());

  public static final AttributeFormat<Map<String, String>> TEXTS = map(TEXT);

  public static final AttributeFormat<Integer> COUNT =
      NUMBER.as(Math::toIntExact, Integer::longValue);

  public static final AttributeFormat<UUID> ID = TEXT.as(UUID::fromString, UUID::toString);

  public static final AttributeFormat<SessionId> SESSION = ID.as(SessionId::new, SessionId::value);

  public static final AttributeFormat<TurnId> TURN = ID.as(TurnId::new, TurnId::value);

  public static final AttributeFormat<ArtifactId> ARTIFACT =
      ID.as(ArtifactId::new, ArtifactId::value);

  public static final AttributeFormat<RequestId> REQUEST = ID.as(RequestId::new, RequestId::value);

  /// Microseconds since 1970.
  public static final AttributeFormat<Stamp> STAMP = NUMBER.as(Stamp::new, Stamp::micros);

  /// Milliseconds since 1970.
  public static final AttributeFormat<Instant> INSTANT =
      NUMBER.as(Instant::ofEpochMilli, Instant::toEpochMilli);

  /// Seconds since 1970.
  public static final AttributeFormat<Instant> SECONDS =
      NUMBER.as(Instant::ofEpochSecond, Instant::getEpochSecond);

  public static final AttributeFormat<List<String>> NAMES = list(TEXT);

  /// An enum, stored as the name of its constant.
  public static <E extends Enum<E>> AttributeFormat<E> name(Class<E> type) {
    return TEXT.as(name -> Enum.valueOf(type, name), Enum::name);
  }

  public static <V> AttributeFormat<List<V>> list(AttributeFormat<V> each) {
    return new AttributeFormat<>(
        values -> AttributeValue.fromL(values.stream().map(each.written).toList()),
        value -> value.l().stream().map(each.read).toList());
  }

  public static <V> AttributeFormat<Map<String, V>> map(AttributeFormat<V> each) {
    return new AttributeFormat<>(
        values -> AttributeValue.fromM(each(values, each.written)),
        value -> each(value.m(), each.read));
  }

  /// The stored form of another type whose values convert to and from these.
  public <W> AttributeFormat<W> as(Function<V, W> made, Function<W, V> of) {
    return new AttributeFormat<>(of.andThen(written), read.andThen(made));
  }

  private static <A, B> Map<String, B> each(Map<String, A> values, Function<A, B> as) {
    return values.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, entry -> as.apply(entry.getValue())));
  }
}
