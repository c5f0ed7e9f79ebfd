package agentsessions.aws;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
  private final List<String> sets = new ArrayList<>();
  private final List<String> removals = new ArrayList<>();
  private final Map<String, AttributeValue> values = new HashMap<>();
  private String condition = "";

  private Change(Layout.Key key) {
    this.key = key;
  }

  public static Change of(Layout.Key key) {
    return new Change(key);
  }

  public Change set(String name, AttributeValue value) {
    sets.add("#%s = :set_%s".formatted(name, name));
    return with("set_" + name, value);
  }

  public Change initially(String name, AttributeValue value) {
    sets.add("#%s = if_not_exists(#%s, :set_%s)".formatted(name, name, name));
    return with("set_" + name, value);
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

  public Change with(String name, AttributeValue value) {
    values.put(":" + name, value);
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
    Map<String, AttributeValue> item = new HashMap<>(key.attributes());
    Map<String, AttributeValue> rest = new HashMap<>();
    values.forEach((name, value) -> {
      if (name.startsWith(":set_")) {
        item.put(name.substring(":set_".length()), value);
      } else {
        rest.put(name, value);
      }
    });
    String guard = condition.isEmpty() ? "attribute_not_exists(#PK)" : condition;
    Put.Builder put =
        Put.builder()
            .item(item)
            .conditionExpression(guard)
            .expressionAttributeNames(names(guard))
            .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD);
    if (!rest.isEmpty()) {
      put.expressionAttributeValues(rest);
    }
    return new Write(TransactWriteItem.builder().put(put.build()).build());
  }

  /// The item replaced or made, whatever is there.
  public Write overwrite() {
    Map<String, AttributeValue> item = new HashMap<>(key.attributes());
    values.forEach((name, value) -> item.put(name.substring(":set_".length()), value));
    return new Write(TransactWriteItem.builder().put(Put.builder().item(item).build()).build());
  }

  public Write delete() {
    return new Write(
        TransactWriteItem.builder().delete(Delete.builder().key(key.attributes()).build()).build());
  }

  private String updateExpression() {
    String set = sets.isEmpty() ? "" : "SET " + String.join(", ", sets);
    String remove = removals.isEmpty() ? "" : " REMOVE " + String.join(", ", removals);
    return set + remove;
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
