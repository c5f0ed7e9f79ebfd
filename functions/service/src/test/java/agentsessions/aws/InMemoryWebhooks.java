package agentsessions.aws;

import agentsessions.jobs.webhook.WebhookPost;
import agentsessions.store.webhook.Deliveries;
import agentsessions.store.webhook.Outbox;
import agentsessions.store.webhook.WebhookLeases;
import agentsessions.store.webhook.WebhookSecrets;
import agentsessions.store.webhook.Webhooks;
import agentsessions.table.ChangeSignal;
import agentsessions.table.Table;
import agentsessions.turn.catalogue.OperatorPolicy;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/// The sender of webhooks over an in-memory table, with real receivers.
public record InMemoryWebhooks(
    Webhooks webhooks,
    Outbox outbox,
    WebhookLeases leases,
    Deliveries deliveries,
    WebhookPost post) {
  private static final int SECONDS = 2;

  /// Begins with an empty table.
  ///
  /// @param behind how many queries of the index are answered as the same one was before
  public static InMemoryWebhooks of(Clock clock, AtomicInteger behind) {
    Table table =
        new Table(
            oneAtATime(new InMemoryTable(InMemoryAws.TABLE), behind),
            InMemoryAws.TABLE,
            new ChangeSignal(false));
    WebhookSecrets secrets =
        new WebhookSecrets(new ParameterStore(new InMemoryParameters(), "/stack"));
    return new InMemoryWebhooks(
        new Webhooks(table, secrets, InMemoryAws.announcer(table, clock, SECONDS), clock),
        new Outbox(table, clock),
        new WebhookLeases(table, () -> secrets, clock),
        new Deliveries(table, clock),
        new WebhookPost(
            new OperatorPolicy(true, "", false, "", false, List.of()), clock, SECONDS, "0"));
  }

  /// Ten send at once.
  private static DynamoDbClient oneAtATime(InMemoryTable table, AtomicInteger behind) {
    Map<Object, Object> before = new HashMap<>();
    InvocationHandler handler =
        (_, method, arguments) -> {
          synchronized (table) {
            try {
              if (!(arguments[0] instanceof QueryRequest query) || query.indexName() == null) {
                return method.invoke(table, arguments);
              }
              if (behind.get() == 0 || !before.containsKey(query)) {
                before.put(query, method.invoke(table, arguments));
              } else {
                behind.decrementAndGet();
              }
              return before.get(query);
            } catch (InvocationTargetException thrown) {
              throw thrown.getTargetException();
            }
          }
        };
    return (DynamoDbClient)
        Proxy.newProxyInstance(
            DynamoDbClient.class.getClassLoader(), new Class<?>[] {DynamoDbClient.class}, handler);
  }
}
