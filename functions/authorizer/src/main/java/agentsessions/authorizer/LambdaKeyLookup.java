package agentsessions.authorizer;

import agentsessions.authorizer.wire.DynamoDbCalls;
import agentsessions.authorizer.wire.DynamoDbFault;
import agentsessions.authorizer.wire.JsonText;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// The function's own look-up of keys, without the SDK: loading that was seven eighths of its cold
/// start (decision 028).
record LambdaKeyLookup(DynamoDbCalls calls, String table) implements KeyLookup {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  @Override
  public Optional<KeyRecord> find(String id) {
    Map<String, Object> found = calls.call("GetItem", "{" + place(id) + "}", TIMEOUT);
    return found.get("Item") instanceof Map<?, ?> item
        ? Optional.of(KeyRecord.read(texts(item)))
        : Optional.empty();
  }

  @Override
  public void noteUse(String id, Instant hour) {
    String request =
        "{%s,\"UpdateExpression\":%s,\"ConditionExpression\":%s,\"ExpressionAttributeValues\":{\":hour\":{\"N\":\"%d\"}}}"
            .formatted(
                place(id),
                JsonText.quoted(USED),
                JsonText.quoted(NOT_YET_USED),
                hour.getEpochSecond());
    try {
      calls.call("UpdateItem", request, NOTE_TIMEOUT);
    } catch (DynamoDbFault notSoImportant) {
      return;
    }
  }

  private String place(String id) {
    return "\"TableName\":"
        + JsonText.quoted(table)
        + ",\"Key\":{\"PK\":{\"S\":"
        + JsonText.quoted("KEY#" + id)
        + "},\"SK\":{\"S\":\"0\"}}";
  }

  /// `{"name": {"S": "text"}}` as `{"name": "text"}`: of a key's attributes the name says the type.
  private static Map<String, String> texts(Map<?, ?> item) {
    Map<String, String> texts = new HashMap<>();
    for (Map.Entry<?, ?> attribute : item.entrySet()) {
      if (attribute.getKey() instanceof String name
          && attribute.getValue() instanceof Map<?, ?> value
          && value.values().iterator().next() instanceof String text) {
        texts.put(name, text);
      }
    }
    return texts;
  }
}
