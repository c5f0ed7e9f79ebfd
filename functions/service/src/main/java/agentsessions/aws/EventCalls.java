package agentsessions.aws;

import agentsessions.authorizer.SdkCalls;
import io.micronaut.json.JsonMapper;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.lambda.LambdaClient;
import software.amazon.awssdk.services.lambda.model.InvocationType;
import software.amazon.awssdk.services.lambda.model.InvokeResponse;

/// Asynchronous calls of Lambda functions: Lambda answers once it has accepted the event.
@Singleton
public final class EventCalls {
  private static final Logger LOG = LoggerFactory.getLogger(EventCalls.class);

  private final LambdaClient client;
  private final JsonMapper json;

  EventCalls(LambdaClient client, JsonMapper json) {
    this.client = client;
    this.json = json;
  }

  public void begin(String function, Map<String, Object> event) {
    begin(function, event, null);
  }

  /// Calls each function with the same event, whatever becomes of the others.
  ///
  /// @return how many of them took it
  public int beginEach(List<String> functions, Map<String, Object> event) {
    int taken = 0;
    for (String function : functions) {
      try {
        begin(function, event);
        taken++;
      } catch (SdkException fault) {
        LOG.atWarn()
            .addKeyValue("function", function)
            .addKeyValue("fault", fault.getMessage())
            .log("function.not_called");
      }
    }
    return taken;
  }

  /// @param tenant the tenant whose own execution environments take the call; null where the
  ///   function has no tenants
  void begin(String function, Map<String, Object> event, @Nullable String tenant) {
    SdkBytes payload = SdkBytes.fromByteArrayUnsafe(bytes(event));
    InvokeResponse _ =
        SdkCalls.make(() ->
            client.invoke(call ->
                call.functionName(function)
                    .invocationType(InvocationType.EVENT)
                    .tenantId(tenant)
                    .payload(payload)));
  }

  /// Whether the function is there and may be called, which Lambda answers without a call of it.
  void check(String function) {
    InvokeResponse _ =
        SdkCalls.make(() ->
            client.invoke(
                call -> call.functionName(function).invocationType(InvocationType.DRY_RUN)));
  }

  private byte[] bytes(Map<String, Object> event) {
    try {
      return json.writeValueAsBytes(event);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }
}
