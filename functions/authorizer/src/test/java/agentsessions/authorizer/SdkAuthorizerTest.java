package agentsessions.authorizer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/// The same answers by the SDK's client, as the service gives them.
final class SdkAuthorizerTest extends AuthorizerTest {
  @Override
  KeyLookup keys() {
    return new KeyTable(wire.client, "table");
  }

  @Override
  Class<? extends RuntimeException> fault() {
    return SdkException.class;
  }

  @Test
  void aReadThatIsCutShortWhileItConnectsIsAFaultLikeAnyOther() {
    cutShort("getItem");
    assertThrows(SdkException.class, () -> authorizer.authenticate("ApiKey " + key.text()));
  }

  @Test
  void aKeyWhoseUseCannotBeNotedIsGoodAllTheSame() throws IOException {
    cutShort("updateItem");
    assertEquals(key.id(), handle("ApiKey " + key.text()).path("principalId").asText());
  }

  /// Makes a call fail as the HTTP client does when an attempt runs out of time while it connects.
  private void cutShort(String call) {
    DynamoDbClient cutShort =
        (DynamoDbClient)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {DynamoDbClient.class},
                (_, method, arguments) -> {
                  if (method.getName().equals(call)) {
                    throw assertThrows(
                        IllegalStateException.class, () -> new ArrayList<>().iterator().remove());
                  }
                  return method.invoke(wire.client, arguments);
                });
    authorizer = new Authorizer(new KeyTable(cutShort, "table"), Clock.fixed(NOW, ZoneOffset.UTC));
  }
}
