package agentsessions.aws;

import agentsessions.authorizer.SdkCalls;
import io.micronaut.context.annotation.Property;
import io.micronaut.json.JsonMapper;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.lambda.LambdaClient;
import software.amazon.awssdk.services.lambda.model.InvocationType;
import software.amazon.awssdk.services.lambda.model.InvokeResponse;
import software.amazon.awssdk.services.lambda.model.TooManyRequestsException;

/// The engine `lambda`: an asynchronous call of the runner's function, at most once
/// (`EventInvokeConfig` in the template).
@Singleton
final class RunnerFunction implements Engine {
  private final LambdaClient client;
  private final JsonMapper json;
  private final String function;

  RunnerFunction(
      LambdaClient client,
      JsonMapper json,
      @Property(name = "runner.function", defaultValue = "") String function) {
    this.client = client;
    this.json = json;
    this.function = function;
  }

  @Override
  public void launch(Launch launch) throws NoRoom {
    SdkBytes event = event(launch);
    try {
      InvokeResponse _ =
          SdkCalls.make(() ->
              client.invoke(call ->
                  call.functionName(function).invocationType(InvocationType.EVENT).payload(event)));
    } catch (TooManyRequestsException full) {
      throw new NoRoom(full);
    }
  }

  @Override
  public boolean startsAtOnce() {
    return false;
  }

  private SdkBytes event(Launch launch) {
    Map<String, Object> event = new LinkedHashMap<>();
    event.put("ticket", launch.ticket());
    event.put("url", launch.url());
    event.put("attempt", launch.attempt());
    event.put("session_id", launch.session().toString());
    try {
      return SdkBytes.fromByteArrayUnsafe(json.writeValueAsBytes(event));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }
}
