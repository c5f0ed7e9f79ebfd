package agentsessions.aws;

import io.micronaut.context.annotation.Property;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.lambda.model.LambdaException;
import software.amazon.awssdk.services.lambda.model.TooManyRequestsException;

/// The launcher of runners as Lambda functions: an asynchronous call of the runner's function, made
/// once at most (`EventInvokeConfig` in the template). The call may wait inside Lambda for capacity
/// and be dropped there, which the function's failure destination reports.
@Singleton
public final class RunnerFunction implements RunnerLauncher {
  /// A function may have a cold start; and a call that is dropped for lack of capacity is reported
  /// after a minute, which should come first.
  private static final Duration CLAIM_TIME = Duration.ofSeconds(90);

  /// The status while the function is being updated.
  private static final int CONFLICT = 409;

  private static final Logger LOG = LoggerFactory.getLogger(RunnerFunction.class);

  private final EventCalls calls;
  private final String function;

  private final boolean tenants;

  /// @param tenants whether each session has execution environments of its own
  RunnerFunction(
      EventCalls calls,
      @Property(name = "runner.function", defaultValue = "") String function,
      @Property(name = "tenant.isolation", defaultValue = "false") boolean tenants) {
    this.calls = calls;
    this.function = function;
    this.tenants = tenants;
  }

  @Override
  public Launched launch(Launch launch) {
    try {
      calls.begin(function, event(launch), tenants ? launch.session().toString() : null);
    } catch (TooManyRequestsException full) {
      return new Launched.NoRoom();
    } catch (SdkException unheard) {
      if (unheard instanceof LambdaException refused && refused.statusCode() < 500) {
        return refused.statusCode() == CONFLICT
            ? new Launched.NoRoom()
            : RunnerLauncher.refused(launch, refused);
      }
      LOG.atWarn()
          .addKeyValue("session", launch.session())
          .addKeyValue("fault", unheard.getClass().getSimpleName())
          .log("turn.launch_unheard");
      return new Launched.Unheard();
    }
    return new Launched.Begun(Optional.empty());
  }

  @Override
  public Duration claimTime() {
    return CLAIM_TIME;
  }

  /// Asks Lambda whether the runner may be called, and calls it not.
  public void prime() {
    calls.check(function);
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
