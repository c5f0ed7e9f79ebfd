package agentsessions.chaos.faults;

import agentsessions.chaos.rig.AwsCall;
import agentsessions.chaos.rig.AwsProxy;
import agentsessions.chaos.rig.ProxyReply;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// A fault of AWS or of the network in one call.
public enum Fault implements AwsProxy.Rule {
  /// The transaction, or the single write, met another transaction. DynamoDB Local never answers
  /// so.
  CONFLICT {
    @Override
    public ProxyReply reply(AwsCall call, AwsProxy.Onward onward) throws IOException {
      return call.operation().equals("UpdateItem")
          ? ProxyReply.json(400, "{\"__type\":\"" + DYNAMODB + "TransactionConflictException\"}")
          : cancelled(call, "TransactionConflict");
    }
  },
  /// The transaction was throttled, which stands among its cancellation reasons.
  CANCELLED_BY_THROTTLING {
    @Override
    public ProxyReply reply(AwsCall call, AwsProxy.Onward onward) throws IOException {
      return cancelled(call, "ThrottlingError");
    }
  },
  THROTTLED {
    @Override
    public ProxyReply reply(AwsCall call, AwsProxy.Onward onward) {
      return call.isObject()
          ? ProxyReply.xml(503, "SlowDown")
          : ProxyReply.json(400, "{\"__type\":\"com.amazon.coral#ThrottlingException\"}");
    }
  },
  /// Answers 500, and nothing was done.
  REFUSED {
    @Override
    public ProxyReply reply(AwsCall call, AwsProxy.Onward onward) {
      return internal(call);
    }
  },
  /// Answers 500, although all was done.
  DONE_AND_REFUSED {
    @Override
    public ProxyReply reply(AwsCall call, AwsProxy.Onward onward)
        throws IOException, InterruptedException {
      onward.send();
      return internal(call);
    }
  },
  /// The connection breaks before the call arrives.
  UNHEARD {
    @Override
    public ProxyReply reply(AwsCall call, AwsProxy.Onward onward) {
      return ProxyReply.NONE;
    }
  },
  /// The connection breaks after all has been done.
  DONE_AND_UNHEARD {
    @Override
    public ProxyReply reply(AwsCall call, AwsProxy.Onward onward)
        throws IOException, InterruptedException {
      onward.send();
      return ProxyReply.NONE;
    }
  },
  /// All was done, but no answer comes within the caller's time-out.
  DONE_AND_TIMED_OUT {
    @Override
    public ProxyReply reply(AwsCall call, AwsProxy.Onward onward)
        throws IOException, InterruptedException {
      onward.send();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(call.isObject() ? 5_500 : 2_500));
      return ProxyReply.NONE;
    }
  },
  /// Nothing of the batch was processed: all items come back as unprocessed.
  LEFT_OVER {
    @Override
    public ProxyReply reply(AwsCall call, AwsProxy.Onward onward) throws IOException {
      ObjectNode answer = JSON.createObjectNode();
      String left =
          call.operation().equals("BatchGetItem") ? "UnprocessedKeys" : "UnprocessedItems";
      answer.putObject("Responses");
      answer.set(left, JSON.readTree(call.body()).path("RequestItems"));
      return ProxyReply.json(200, answer.toString());
    }
  };

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String DYNAMODB = "com.amazonaws.dynamodb.v20120810#";

  /// Whether this fault can happen to this call.
  boolean concerns(AwsCall call) {
    return switch (this) {
      case CONFLICT -> Set.of("TransactWriteItems", "UpdateItem").contains(call.operation());
      case CANCELLED_BY_THROTTLING -> call.operation().equals("TransactWriteItems");
      case LEFT_OVER -> call.operation().startsWith("Batch");
      default -> true;
    };
  }

  private static ProxyReply cancelled(AwsCall call, String code) throws IOException {
    JsonNode items = JSON.readTree(call.body()).path("TransactItems");
    ObjectNode answer =
        JSON.createObjectNode()
            .put("__type", DYNAMODB + "TransactionCanceledException")
            .put("Message", "Transaction cancelled");
    ArrayNode reasons = answer.putArray("CancellationReasons");
    for (int i = 0; i < items.size(); i++) {
      reasons.addObject().put("Code", i == items.size() - 1 ? code : "None");
    }
    return ProxyReply.json(400, answer.toString());
  }

  private static ProxyReply internal(AwsCall call) {
    return call.isObject()
        ? ProxyReply.xml(500, "InternalError")
        : ProxyReply.json(500, "{\"__type\":\"com.amazonaws#InternalServerError\"}");
  }
}
