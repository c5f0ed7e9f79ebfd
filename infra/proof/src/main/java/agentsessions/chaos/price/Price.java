package agentsessions.chaos.price;

import agentsessions.chaos.rig.AwsCall;
import agentsessions.talk.Client;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What calls cost in millionths of a dollar, at the list prices of us-east-1 (arm64, November
/// 2026) and by the units that AWS counts: DynamoDB Local counts a transaction's too low. Items are
/// taken to have 1 KB at most, and a query to read 4 KB.
record Price(double database, double objects) {
  static final Price NONE = new Price(0, 0);

  /// A request through the gateway: itself 3.50, the function's 0.20 and 10 ms of 512 MB, its log
  /// line and what it answers.
  static final double REQUEST = 3.50 + 0.20 + 0.067 + 0.225 + 0.054;

  /// A function that the state machine calls, for 200 ms.
  static final double STEP = 0.20 + 1.33 + 0.225;

  static final double TRANSITION = 25;

  /// An artifact, put by its runner.
  static final double UPLOAD = 5;

  /// One of 20 kB, got and sent.
  static final double DOWNLOAD = 0.40 + 1.80;

  private static final double READ = 0.125;
  private static final double WRITE = 0.625;
  private static final double PUT_OBJECT = 5;
  private static final double GET_OBJECT = 0.40;

  static Price of(List<AwsCall> calls) throws IOException {
    Price sum = NONE;
    for (AwsCall call : calls) {
      sum = sum.plus(of(call), 1);
    }
    return sum;
  }

  /// By the name of what makes them.
  static Map<String, Price> of(Map<String, List<AwsCall>> calls) throws IOException {
    Map<String, Price> prices = new HashMap<>();
    for (Map.Entry<String, List<AwsCall>> each : calls.entrySet()) {
      prices.put(each.getKey(), of(each.getValue()));
    }
    return prices;
  }

  Price plus(Price other, int times) {
    return new Price(database + times * other.database, objects + times * other.objects);
  }

  private static Price of(AwsCall call) throws IOException {
    return switch (call.operation()) {
      case "GetItem", "Query" -> new Price(READ, 0);
      case "BatchGetItem" -> new Price(READ * keys(call), 0);
      case "UpdateItem" -> new Price(WRITE + WRITE * indexed(body(call)), 0);
      case "TransactWriteItems" -> new Price(transaction(body(call).path("TransactItems")), 0);
      case "PutObject" -> new Price(0, PUT_OBJECT);
      case "HeadObject", "GetObject" -> new Price(0, GET_OBJECT);
      case "PutItem" -> new Price(WRITE + WRITE * indexed(body(call)), 0);
      // Of what stood in the index of what is due: nothing else is removed so.
      case "BatchWriteItem" -> new Price(2 * WRITE * requests(call), 0);
      // Transitions are what costs, and the time of the function.
      case "StartExecution", "SendTaskSuccess", "SendTaskHeartbeat", "Invoke", "RunTask" -> NONE;
      case "GetParameters" -> NONE; // at first only
      default -> throw new IllegalArgumentException("no price of " + call.operation());
    };
  }

  private static double transaction(JsonNode items) {
    double units = 0;
    for (JsonNode item : items) {
      units += 2 + indexed(item.elements().next());
    }
    return WRITE * units;
  }

  /// What a write moves in the index of what is due: a new key is a write, another one two.
  private static int indexed(JsonNode write) {
    if (write.path("Item").has("due_at")) {
      return 1;
    }
    String expression = write.path("UpdateExpression").asText();
    return expression.contains("#due_at = ") ? 2 : expression.contains("#due_at") ? 1 : 0;
  }

  private static int keys(AwsCall call) throws IOException {
    return body(call).path("RequestItems").elements().next().path("Keys").size();
  }

  private static int requests(AwsCall call) throws IOException {
    return body(call).path("RequestItems").elements().next().size();
  }

  private static JsonNode body(AwsCall call) throws IOException {
    return Client.JSON.readTree(call.body());
  }
}
