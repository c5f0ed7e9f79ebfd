package agentsessions.aws;

import agentsessions.authorizer.SdkCalls;
import agentsessions.session.SessionId;
import io.micronaut.context.annotation.Property;
import io.micronaut.json.JsonMapper;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.lambda.LambdaClient;
import software.amazon.awssdk.services.lambda.model.InvocationType;
import software.amazon.awssdk.services.lambda.model.InvokeResponse;
import software.amazon.awssdk.services.lambda.model.LambdaException;
import software.amazon.awssdk.services.lambda.model.TooManyRequestsException;

/// What starts runners: an asynchronous call of the runner's function, made once at most
/// (`EventInvokeConfig` in the template). It may wait inside Lambda for room and be dropped there
/// without a word; whether a runner came, and what became of it, shows in the table.
@Singleton
public final class RunnerFunction {
  /// What a runner is started with.
  ///
  /// @param ticket claims the turn, by this attempt alone
  /// @param url of the runner protocol, `…/runner/v1`
  public record Launch(String ticket, String url, int attempt, SessionId session) {
    /// Without the ticket, so that no log can hold it.
    @Override
    public String toString() {
      return "launch %d for %s".formatted(attempt, session);
    }
  }

  private static final Logger LOG = LoggerFactory.getLogger(RunnerFunction.class);

  private final LambdaClient client;
  private final JsonMapper json;
  private final String function;

  public RunnerFunction(
      LambdaClient client,
      JsonMapper json,
      @Property(name = "runner.function", defaultValue = "") String function) {
    this.client = client;
    this.json = json;
    this.function = function;
  }

  /// Starts one. Where the answer is lost, one may have been started all the same, so that is left
  /// to whether it comes. False where there is no room for a call now, so that none was.
  public boolean launch(Launch launch) {
    SdkBytes event = event(launch);
    try {
      InvokeResponse _ =
          SdkCalls.make(() ->
              client.invoke(call ->
                  call.functionName(function).invocationType(InvocationType.EVENT).payload(event)));
      return true;
    } catch (TooManyRequestsException full) {
      return false;
    } catch (SdkException unheard) {
      if (unheard instanceof LambdaException refused && refused.statusCode() < 500) {
        throw refused;
      }
      LOG.atWarn()
          .addKeyValue("session", launch.session())
          .addKeyValue("fault", unheard.getClass().getSimpleName())
          .log("turn.launch_unheard");
      return true;
    }
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
