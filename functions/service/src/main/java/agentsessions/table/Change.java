package agentsessions.table;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Delete;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.Update;

/// A builder for a conditional write of one item, in DynamoDB's own expression language. Attribute
/// names stand in expressions as `#name`, values as `:name`; names are filled in from the
/// expression, so that none collides with a reserved word. A name that no item of the kind has is a
/// bug and throws.
public final class Change {
  private static final Pattern NAME = Pattern.compile("#(\\w+)");

  private final Layout.Key key;
  private final Map<String, Attribute<?>> known;
  private final Map<String, AttributeValue> attributes = new LinkedHashMap<>();
  private final Set<String> kept = new HashSet<>();
  private final List<String> removals = new ArrayList<>();
  private final Map<String, AttributeValue> additions = new LinkedHashMap<>();
  private final Map<String, AttributeValue> compared = new HashMap<>();
  private String condition = "";

  /// @param known the attributes that the item may have
  Change(Layout.Key key, Map<String, Attribute<?>> known) {
    this.key = key;
    this.known = known;
  }

  /// A change of a pointer, an item that consists of its key.
  public static Change of(Layout.Key key) {
    return new Schema().change(key);
  }

  /// Sets all attributes of an item except its key, which cannot change.
  Change set(Map<String, AttributeValue> item) {
    attributes.putAll(item);
    attributes.keySet().removeAll(key.attributes().keySet());
    return this;
  }

  public <V> Change set(Attribute<V> attribute, V value) {
    attributes.put(known(attribute.name()), attribute.format().written().apply(value));
    return this;
  }

  /// Sets an attribute only if the item does not have it yet.
  public <V> Change initially(Attribute<V> attribute, V value) {
    kept.add(attribute.name());
    return set(attribute, value);
  }

  /// Sets an attribute, or removes it where there is no value.
  public <V> Change replace(Attribute<V> attribute, Optional<V> value) {
    return value.isPresent() ? set(attribute, value.get()) : remove(attribute);
  }

  /// Puts the item into a partition of the sparse index, where the sweep finds it from `at` on.
  public Change due(String shard, Instant at) {
    return set(Attribute.LIVE, shard).set(Attribute.DUE_AT, at);
  }

  /// Takes the item out of the sparse index.
  public Change notDue() {
    return remove(Attribute.LIVE, Attribute.DUE_AT);
  }

  /// Adds to a number; a missing attribute counts as 0, and adding 0 writes nothing.
  public Change add(Attribute<Long> attribute, long more) {
    return more == 0 ? this : add(attribute.name(), attribute.format().written().apply(more));
  }

  Change add(String name, AttributeValue more) {
    additions.put(known(name), more);
    return this;
  }

  public Change remove(Attribute<?>... gone) {
    for (Attribute<?> attribute : gone) {
      removals.add("#" + known(attribute.name()));
    }
    return this;
  }

  public Change when(String expression) {
    condition = condition.isEmpty() ? expression : condition + " AND " + expression;
    return this;
  }

  /// Gives the value of `:name` in the condition, in the stored form of the attribute `as`.
  public <V> Change with(String name, Attribute<V> as, V value) {
    compared.put(":" + name, as.format().written().apply(value));
    return this;
  }

  /// An update of the item; it creates the item if the condition allows that.
  public Write update() {
    Update.Builder update =
        Update.builder()
            .key(key.attributes())
            .updateExpression(updateExpression())
            .expressionAttributeNames(names(updateExpression() + " " + condition))
            .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD);
    Map<String, AttributeValue> values = new HashMap<>(compared);
    attributes.forEach((name, value) -> values.put(newValue(name), value));
    additions.forEach((name, value) -> values.put(addition(name), value));
    if (!values.isEmpty()) {
      update.expressionAttributeValues(values);
    }
    if (!condition.isEmpty()) {
      update.conditionExpression(condition);
    }
    return new Write(TransactWriteItem.builder().update(update.build()).build());
  }

  /// A put of the attributes set so far. Without a condition the item must not exist yet.
  public Write put() {
    String guard = condition.isEmpty() ? "attribute_not_exists(#PK)" : condition;
    Put.Builder put =
        Put.builder()
            .item(item())
            .conditionExpression(guard)
            .expressionAttributeNames(names(guard))
            .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD);
    if (!compared.isEmpty()) {
      put.expressionAttributeValues(compared);
    }
    return new Write(TransactWriteItem.builder().put(put.build()).build());
  }

  /// A put without any condition: it creates or replaces the item.
  public Write overwrite() {
    return new Write(TransactWriteItem.builder().put(Put.builder().item(item()).build()).build());
  }

  public Write delete() {
    Delete.Builder delete = Delete.builder().key(key.attributes());
    if (!condition.isEmpty()) {
      delete
          .conditionExpression(condition)
          .expressionAttributeNames(names(condition))
          .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD);
    }
    if (!compared.isEmpty()) {
      delete.expressionAttributeValues(compared);
    }
    return new Write(TransactWriteItem.builder().delete(delete.build()).build());
  }

  private Map<String, AttributeValue> item() {
    Map<String, AttributeValue> item = new HashMap<>(key.attributes());
    item.putAll(attributes);
    return item;
  }

  private String updateExpression() {
    String set =
        attributes.isEmpty()
            ? ""
            : "SET "
                + String.join(", ", attributes.keySet().stream().map(this::assignment).toList());
    String remove = removals.isEmpty() ? "" : " REMOVE " + String.join(", ", removals);
    String add =
        additions.isEmpty()
            ? ""
            : " ADD "
                + String.join(
                    ", ",
                    additions.keySet().stream()
                        .map(name -> "#%s %s".formatted(name, addition(name)))
                        .toList());
    return set + remove + add;
  }

  private String assignment(String name) {
    return kept.contains(name)
        ? "#%s = if_not_exists(#%s, %s)".formatted(name, name, newValue(name))
        : "#%s = %s".formatted(name, newValue(name));
  }

  /// The placeholder of a new value. It differs from those of conditions, since one change may set
  /// an attribute and compare it.
  private static String newValue(String attribute) {
    return ":set_" + attribute;
  }

  private static String addition(String attribute) {
    return ":add_" + attribute;
  }

  private Map<String, String> names(String expression) {
    Map<String, String> names = new HashMap<>();
    Matcher matcher = NAME.matcher(expression);
    while (matcher.find()) {
      names.put(matcher.group(), known(matcher.group(1)));
    }
    return names;
  }

  private String known(String name) {
    if (!known.containsKey(name)) {
      throw new IllegalArgumentException("no such item has an attribute " + name);
    }
    return name;
  }
}
