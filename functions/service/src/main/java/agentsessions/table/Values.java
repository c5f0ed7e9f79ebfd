package agentsessions.table;

import agentsessions.session.TurnError;
import agentsessions.session.id.Stamp;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Collectors;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/// The stored form of plain values: instants as milliseconds, stamps as microseconds since 1970.
public final class Values {
  public static AttributeValue of(String text) {
    return AttributeValue.fromS(text);
  }

  public static AttributeValue of(long number) {
    return AttributeValue.fromN(Long.toString(number));
  }

  public static AttributeValue of(boolean flag) {
    return AttributeValue.fromBool(flag);
  }

  public static AttributeValue of(Instant instant) {
    return of(instant.toEpochMilli());
  }

  public static AttributeValue of(Stamp stamp) {
    return of(stamp.micros());
  }

  public static AttributeValue of(ByteBuffer bytes) {
    return AttributeValue.fromB(SdkBytes.fromByteBuffer(bytes));
  }

  public static AttributeValue of(Map<String, String> texts) {
    return AttributeValue.fromM(
        texts.entrySet().stream()
            .collect(Collectors.toMap(Map.Entry::getKey, entry -> of(entry.getValue()))));
  }

  public static AttributeValue of(TurnError error) {
    return AttributeValue.fromM(
        Map.of(
            "code", of(error.code()),
            "message", of(error.message()),
            "retryable", of(error.retryable())));
  }

  private Values() {}
}
