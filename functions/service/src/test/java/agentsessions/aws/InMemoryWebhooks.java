package agentsessions.aws;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Clock;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/// What sends to webhooks, on a table in memory; to receivers as they are.
public record InMemoryWebhooks(
    Webhooks webhooks,
    Outbox outbox,
    WebhookLeases leases,
    Deliveries deliveries,
    WebhookPost post) {
  private static final int SECONDS = 2;

  public static InMemoryWebhooks of(Clock clock) {
    Table table =
        new Table(
            oneAtATime(new InMemoryTable(InMemoryAws.TABLE)),
            InMemoryAws.TABLE,
            new ChangeSignal(false));
    WebhookSecrets secrets = new WebhookSecrets(new Parameters(new InMemoryParameters(), "/stack"));
    return new InMemoryWebhooks(
        new Webhooks(table, secrets, new Hearing(table, clock, SECONDS), clock),
        new Outbox(table, clock),
        new WebhookLeases(table, () -> secrets, clock),
        new Deliveries(table, clock),
        new WebhookPost(new WebhookAddresses(true, ""), clock, SECONDS));
  }

  /// Ten send at once.
  private static DynamoDbClient oneAtATime(InMemoryTable table) {
    InvocationHandler handler =
        (_, method, arguments) -> {
          synchronized (table) {
            try {
              return method.invoke(table, arguments);
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
