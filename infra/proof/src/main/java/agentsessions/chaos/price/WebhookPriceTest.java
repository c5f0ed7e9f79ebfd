package agentsessions.chaos.price;

import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.chaos.rig.AwsCall;
import agentsessions.chaos.rig.AwsProxy;
import agentsessions.chaos.rig.ProxyReply;
import agentsessions.chaos.rig.Rig;
import agentsessions.chaos.rig.SharedRig;
import agentsessions.lambda.WebhooksHandler;
import agentsessions.talk.Await;
import agentsessions.talk.Client;
import agentsessions.talk.WebhookReceiver;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayInputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/// The price of webhook deliveries on AWS, by the calls that a workspace with webhooks makes beyond
/// those of one without. Each event is delivered by itself, which is the dearest case.
@Tag("chaos")
@Order(SharedRig.ORDER_OF_TASKS)
class WebhookPriceTest {
  private static final String TABLE = "agent-sessions";
  private static final int MANY = 3;
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

  /// The most for a million deliveries, in dollars.
  private static final double MOST_ALONE = 16;

  private static final double MOST_FURTHER = 11;

  @Test
  void aMillionDeliveriesCostNoMoreThanThis() throws Exception {
    try (WebhookReceiver receiver = new WebhookReceiver(TIMEOUT)) {
      Rig rig = SharedRig.OF_TASKS.rig();
      double silent = Price.of(new Told(rig, receiver, 0).event()).database();
      Told alone = new Told(rig, receiver, 1);
      double one = Price.of(alone.event()).database() - silent + Price.SENDER;
      double look = Price.of(alone.look()).database() + Price.SENDER;
      double many = Price.of(new Told(rig, receiver, MANY).event()).database() - silent;
      double further = (many + Price.SENDER - one) / (MANY - 1);
      Map<String, Double> table = new LinkedHashMap<>();
      table.put("an event and its one delivery", one);
      table.put("of it the function", Price.SENDER);
      table.put("each further webhook of the event", further);
      table.put("a look after the last, once a minute", look);
      // Millionths of a dollar for one delivery are dollars for a million.
      table.forEach((what, each) -> System.out.printf("%-38s $%.2f%n", what, each));
      assertTrue(one <= MOST_ALONE, () -> "$%.2f".formatted(one));
      assertTrue(further <= MOST_FURTHER, () -> "$%.2f".formatted(further));
    }
  }

  /// A workspace with this number of webhooks.
  private static final class Told {
    private final Rig rig;
    private final String workspace = Rig.workspace();
    private final Client client;
    private final List<String> webhooks = new ArrayList<>();
    private int events;

    Told(Rig rig, WebhookReceiver receiver, int count) throws Exception {
      this.rig = rig;
      this.client = rig.client(workspace, 1);
      for (int i = 0; i < count; i++) {
        JsonNode made = client.post("/webhooks", Map.of("url", receiver.url())).expect(201).json();
        webhooks.add(made.path("id").asText());
      }
      List<AwsCall> _ = event(); // warms the caches
    }

    /// The calls for a new session, until its event is delivered to all webhooks.
    List<AwsCall> event() throws Exception {
      events++;
      return seen(() -> client.create("one"));
    }

    /// The calls of a run of the sender that finds no event left.
    List<AwsCall> look() throws Exception {
      RequestStreamHandler handler = new WebhooksHandler(Map.of());
      Map<String, Object> event =
          Map.of("workspace", workspace, "webhook", webhooks.getFirst(), "of_session", false);
      byte[] body = Client.JSON.writeValueAsBytes(event);
      return seen(() ->
          handler.handleRequest(
              new ByteArrayInputStream(body), OutputStream.nullOutputStream(), null));
    }

    private List<AwsCall> seen(Act act) throws Exception {
      Queue<AwsCall> seen = new ConcurrentLinkedQueue<>();
      AwsProxy.Rule counting =
          (call, onward) -> {
            ProxyReply reply = rig.still(call, onward);
            seen.add(call);
            return reply;
          };
      rig.wire().rule(workspace, counting);
      webhooks.forEach(id -> rig.wire().rule(id, counting));
      act.run();
      Await.await("the deliveries", TIMEOUT, POLL_INTERVAL)
          .until(() -> webhooks.stream().allMatch(this::isIdle));
      rig.wire().forget(workspace);
      webhooks.forEach(rig.wire()::forget);
      return List.copyOf(seen);
    }

    /// Whether all events were delivered to this webhook and no sender holds its lease.
    private boolean isIdle(String webhook) {
      String pk = "W#" + workspace + "#WEBHOOKS";
      Map<String, AttributeValue> item =
          rig.table()
              .getItem(get ->
                  get.tableName(TABLE)
                      .key(
                          Map.of(
                              "PK", AttributeValue.fromS(pk), "SK", AttributeValue.fromS(webhook)))
                      .consistentRead(true))
              .item();
      return !item.containsKey("holder") && sent(pk + "#" + webhook) == events;
    }

    private long sent(String pk) {
      return rig
          .table()
          .query(query ->
              query
                  .tableName(TABLE)
                  .consistentRead(true)
                  .keyConditionExpression("PK = :pk")
                  .expressionAttributeValues(Map.of(":pk", AttributeValue.fromS(pk))))
          .items()
          .stream()
          .filter(item -> item.containsKey("tries") && !item.containsKey("LIVE"))
          .count();
    }
  }

  @FunctionalInterface
  private interface Act {
    void run() throws Exception;
  }
}
