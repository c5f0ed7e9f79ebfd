package agentsessions.chaos.price;

import agentsessions.chaos.rig.AwsCall;
import agentsessions.local.machine.SamTemplate;
import agentsessions.talk.Client;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The price of AWS calls in millionths of a dollar, by the list prices of us-east-1 (arm64,
/// November 2026) and by the units that AWS counts, since DynamoDB Local counts too few for a
/// transaction. Items are taken to have 1 KB at most, and a query to read 4 KB.
///
/// @param database price of the DynamoDB calls
/// @param objects price of the S3 calls
record Price(double database, double objects) {
  static final Price NONE = new Price(0, 0);

  /// A gigabyte of a function's memory for a second.
  private static final double GIGABYTE_SECOND = 13.3334;

  /// A function's call, and the 1,180 bytes that are logged of it: the service's own line, Lambda's
  /// START, END and REPORT, and the line of the gateway's access log.
  private static final double CALL = 0.20 + 0.59;

  /// A request through the gateway: 3.50 for the gateway, then a function's call of 10 ms, and the
  /// data of its answer.
  static final double REQUEST = 3.50 + CALL + time("Messages", 0.010) + 0.054;

  /// A call of the steps function by the state machine, of 200 ms.
  static final double STEP = CALL + time("TurnSteps", 0.200);

  /// A run of the sender of webhooks, of 200 ms.
  static final double SENDER = CALL + time("Webhooks", 0.200);

  static final double TRANSITION = 25;

  /// An artifact that the runner uploads.
  static final double UPLOAD = 5;

  /// A download of 20 kB: the request and the data.
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

  /// The prices of experiments, by their names.
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

  /// The price of a function's time, by the memory that the template gives it.
  private static double time(String function, double seconds) {
    return seconds * SamTemplate.memory(function) / 1024 * GIGABYTE_SECOND;
  }

  private static Price of(AwsCall call) throws IOException {
    return switch (call.operation()) {
      case "GetItem", "Query" -> new Price(READ, 0);
      case "BatchGetItem" -> new Price(READ * keys(call), 0);
      case "UpdateItem" -> new Price(WRITE + WRITE * indexed(body(call)), 0);
      case "TransactWriteItems" -> new Price(transaction(body(call).path("TransactItems")), 0);
      case "PutObject", "CopyObject" -> new Price(0, PUT_OBJECT);
      case "HeadObject", "GetObject" -> new Price(0, GET_OBJECT);
      case "PutItem" -> new Price(WRITE + WRITE * indexed(body(call)), 0);
      // Each request removes an item and its entry in the due index: batches remove no other items.
      case "BatchWriteItem" -> new Price(2 * WRITE * requests(call), 0);
      // These have no price of their own: the transitions and the function's time are counted
      // instead.
      case "StartExecution", "SendTaskSuccess", "SendTaskHeartbeat", "Invoke", "RunTask" -> NONE;
      case "GetParameters" -> NONE; // only at a function's start
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

  /// Further write units of the due index: one for a new key, two for a changed one.
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
