package agentsessions.aws;

import agentsessions.session.SessionId;
import io.micronaut.context.annotation.Property;
import jakarta.inject.Singleton;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
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

  private final EventCalls calls;
  private final String function;

  RunnerFunction(
      EventCalls calls, @Property(name = "runner.function", defaultValue = "") String function) {
    this.calls = calls;
    this.function = function;
  }

  /// Starts one. Where the answer is lost, one may have been started all the same, so that is left
  /// to whether it comes. False where there is no room for a call now, so that none was.
  public boolean launch(Launch launch) {
    try {
      calls.begin(function, event(launch));
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

  private static Map<String, Object> event(Launch launch) {
    return Map.of(
        "ticket",
        launch.ticket(),
        "url",
        launch.url(),
        "attempt",
        launch.attempt(),
        "session_id",
        launch.session().toString());
  }
}
