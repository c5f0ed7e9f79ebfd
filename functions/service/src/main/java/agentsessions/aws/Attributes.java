package agentsessions.aws;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/// A map attribute that is being written: what is null is left out.
final class Attributes {
  private final Map<String, AttributeValue> values = new LinkedHashMap<>();

  Attributes text(String name, @Nullable String text) {
    return text == null ? this : value(name, Values.of(text));
  }

  Attributes number(String name, long number) {
    return value(name, Values.of(number));
  }

  Attributes flag(String name, boolean flag) {
    return flag ? value(name, Values.of(true)) : this;
  }

  Attributes map(String name, @Nullable Attributes map) {
    return map == null ? this : value(name, map.value());
  }

  Attributes value(String name, AttributeValue value) {
    values.put(name, value);
    return this;
  }

  AttributeValue value() {
    return AttributeValue.fromM(Map.copyOf(values));
  }
}
