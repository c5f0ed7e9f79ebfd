package agentsessions.table;

import agentsessions.session.TurnError;
import agentsessions.session.id.Stamp;
import agentsessions.session.repository.Repository;
import agentsessions.session.usage.Ceilings;
import agentsessions.session.usage.Usage;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Delete;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.Update;

/// One conditional write of one item, in DynamoDB's own expression language. Attribute names stand
/// in expressions as `#name`, values as `:name`; names are filled in from the expression, so that
/// no reserved word can bite.
public final class Change {
  private static final Pattern NAME = Pattern.compile("#(\\w+)");

  private final Layout.Key key;
  private final Map<String, AttributeValue> attributes = new LinkedHashMap<>();
  private final Set<String> kept = new HashSet<>();
  private final List<String> removals = new ArrayList<>();
  private final Map<String, AttributeValue> additions = new LinkedHashMap<>();
  private final Map<String, AttributeValue> compared = new HashMap<>();
  private String condition = "";

  private Change(Layout.Key key) {
    this.key = key;
  }

  public static Change of(Layout.Key key) {
    return new Change(key);
  }

  /// Of a whole item, its key among its attributes.
  static Change of(Layout.Key key, Map<String, AttributeValue> item) {
    Change change = new Change(key);
    change.attributes.putAll(item);
    change.attributes.keySet().removeAll(key.attributes().keySet());
    return change;
  }

  public Change set(String name, String value) {
    return set(name, Values.of(value));
  }

  public Change set(String name, long value) {
    return set(name, Values.of(value));
  }

  public Change set(String name, boolean value) {
    return set(name, Values.of(value));
  }

  public Change set(String name, Instant value) {
    return set(name, Values.of(value));
  }

  public Change set(String name, Stamp value) {
    return set(name, Values.of(value));
  }

  public Change set(String name, Map<String, String> value) {
    return set(name, Values.of(value));
  }

  public Change set(String name, ByteBuffer value) {
    return set(name, Values.of(value));
  }

  public Change set(String name, TurnError value) {
    return set(name, Values.of(value));
  }

  /// Sets an attribute that is not there yet; one that is stays as it is.
  public Change initially(String name, Instant value) {
    kept.add(name);
    return set(name, value);
  }

  public Change set(String name, List<Repository> value) {
    return set(name, RepositoryValues.of(value));
  }

  public Change set(String name, Usage value) {
    return set(name, UsageValues.of(value));
  }

  public Change set(String name, Ceilings value) {
    return set(name, CeilingValues.of(value));
  }

  /// Adds to a number, which is 0 where it is not there; nothing is not added.
  public Change add(String name, long more) {
    if (more != 0) {
      additions.put(name, Values.of(more));
    }
    return this;
  }

  public Change set(String name, AttributeValue value) {
    attributes.put(name, value);
    return this;
  }

  public Change remove(String... names) {
    for (String name : names) {
      removals.add("#" + name);
    }
    return this;
  }

  public Change when(String expression) {
    condition = condition.isEmpty() ? expression : condition + " AND " + expression;
    return this;
  }

  /// What `:name` stands for in the condition.
  public Change with(String name, String value) {
    return with(name, Values.of(value));
  }

  public Change with(String name, long value) {
    return with(name, Values.of(value));
  }

  public Change with(String name, boolean value) {
    return with(name, Values.of(value));
  }

  public Change with(String name, Instant value) {
    return with(name, Values.of(value));
  }

  public Change with(String name, Stamp value) {
    return with(name, Values.of(value));
  }

  private Change with(String name, AttributeValue value) {
    compared.put(":" + name, value);
    return this;
  }

  /// An update of what is there (or a new item, where the condition allows it).
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

  /// A new item of the attributes set so far; without a condition it must not exist yet.
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

  /// The item replaced or made, whatever is there.
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

  /// An attribute may be set and compared in one change, so that each value has a name of its own.
  private static String newValue(String attribute) {
    return ":set_" + attribute;
  }

  private static String addition(String attribute) {
    return ":add_" + attribute;
  }

  private static Map<String, String> names(String expression) {
    Map<String, String> names = new HashMap<>();
    Matcher matcher = NAME.matcher(expression);
    while (matcher.find()) {
      names.put("#" + matcher.group(1), matcher.group(1));
    }
    return names;
  }
}
