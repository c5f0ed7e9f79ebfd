package agentsessions.authorizer;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/// The set of a workspace's keys, as the item `W#{workspace}#KEYS` / `0`: the ids of its live keys,
/// of which some may have expired since the last change, and of those that ended lately. Each
/// change increments the revision, so that a decision on an older one is not written.
record KeySet(String workspace, Set<String> live, Set<String> ended, long revision) {
  static final String BEFORE = "W#";
  static final String AFTER = "#KEYS";
  private static final Pattern WORKSPACE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,63}");

  static Map<String, AttributeValue> key(String workspace) {
    if (!WORKSPACE.matcher(workspace).matches()) {
      throw new IllegalArgumentException(
          "A workspace is named by 1 to 64 letters, digits, '_' or '-', the first not a sign");
    }
    return KeyItem.itemKey(BEFORE + workspace + AFTER);
  }

  static KeySet read(String workspace, Map<String, AttributeValue> item) {
    AttributeValue revision = item.get("revision");
    return new KeySet(
        workspace,
        ids(item, "ids"),
        ids(item, "ended"),
        revision == null ? 0 : Long.parseLong(revision.n()));
  }

  Set<String> all() {
    Set<String> all = new HashSet<>(live);
    all.addAll(ended);
    return all;
  }

  /// The next revision, with these ids.
  TransactWriteItem next(String table, Collection<String> living, Collection<String> over) {
    Map<String, AttributeValue> values = new HashMap<>();
    values.put(":seen", AttributeValue.fromN(Long.toString(revision)));
    values.put(":next", AttributeValue.fromN(Long.toString(revision + 1)));
    String update =
        "SET revision = :next" + kept("ids", living, values) + kept("ended", over, values);
    return TransactWriteItem.builder()
        .update(change ->
            change
                .tableName(table)
                .key(key(workspace))
                .updateExpression(update + removed("ids", living, "ended", over))
                .conditionExpression("attribute_not_exists(revision) OR revision = :seen")
                .expressionAttributeValues(values))
        .build();
  }

  private static String kept(
      String name, Collection<String> ids, Map<String, AttributeValue> values) {
    if (ids.isEmpty()) {
      return "";
    }
    values.put(":" + name, AttributeValue.fromSs(List.copyOf(ids)));
    return ", %s = :%s".formatted(name, name);
  }

  /// DynamoDB has no empty sets, so an attribute without ids is removed.
  private static String removed(
      String name, Collection<String> ids, String other, Collection<String> others) {
    List<String> empty = new ArrayList<>();
    if (ids.isEmpty()) {
      empty.add(name);
    }
    if (others.isEmpty()) {
      empty.add(other);
    }
    return empty.isEmpty() ? "" : " REMOVE " + String.join(", ", empty);
  }

  private static Set<String> ids(Map<String, AttributeValue> item, String name) {
    AttributeValue ids = item.get(name);
    return ids == null ? Set.of() : Set.copyOf(ids.ss());
  }
}
