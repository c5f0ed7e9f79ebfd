package agentsessions.lambda;

import agentsessions.session.SessionId;
import agentsessions.turn.Sweep;
import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import io.micronaut.context.ApplicationContext;
import io.micronaut.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The Lambda entry point of `Sweep`, run by a schedule; whatever the event, the answer is
/// `{"seen": n, "purged": [session id, …]}`.
public final class SweepHandler implements RequestStreamHandler {
  /// What was begun may take this long.
  private static final Duration GOODBYE = Duration.ofSeconds(9);

  private static final Duration UNLIMITED = Duration.ofHours(1);

  private final JsonMapper json;
  private final Sweep sweep;

  public SweepHandler() {
    this(Map.of());
  }

  public SweepHandler(Map<String, Object> settings) {
    ApplicationContext application = Application.start(settings);
    this.json = application.getBean(JsonMapper.class);
    this.sweep = application.getBean(Sweep.class);
  }

  @Override
  public void handleRequest(InputStream input, OutputStream output, @Nullable Context context)
      throws IOException {
    Sweep.Swept swept = sweep.run(left(context));
    List<String> purged = swept.purged().stream().map(SessionId::toString).toList();
    output.write(json.writeValueAsBytes(Map.of("seen", swept.seen(), "purged", purged)));
  }

  /// Outside of Lambda nobody ends a pass but itself.
  private static Duration left(@Nullable Context context) {
    return context == null
        ? UNLIMITED
        : Duration.ofMillis(context.getRemainingTimeInMillis()).minus(GOODBYE);
  }
}
