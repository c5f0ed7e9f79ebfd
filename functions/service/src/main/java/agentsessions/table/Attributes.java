package agentsessions.table;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/// A map attribute that is being written: what is null is left out.
public final class Attributes {
  private final Map<String, AttributeValue> values = new LinkedHashMap<>();

  public Attributes text(String name, @Nullable String text) {
    return text == null ? this : value(name, Values.of(text));
  }

  public Attributes number(String name, long number) {
    return value(name, Values.of(number));
  }

  public Attributes flag(String name, boolean flag) {
    return flag ? value(name, Values.of(true)) : this;
  }

  public Attributes map(String name, @Nullable Attributes map) {
    return map == null ? this : value(name, map.value());
  }

  public Attributes value(String name, AttributeValue value) {
    values.put(name, value);
    return this;
  }

  public AttributeValue value() {
    return AttributeValue.fromM(Map.copyOf(values));
  }
}
