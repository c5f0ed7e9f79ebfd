package agentsessions.lambda;

import agentsessions.aws.EventCalls;
import agentsessions.jobs.sweep.Sweep;
import agentsessions.session.id.SessionId;
import agentsessions.store.workspace.ApiKeys;
import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import io.micronaut.context.ApplicationContext;
import io.micronaut.core.type.Argument;
import io.micronaut.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The Lambda entry point of `Sweep`, run by a schedule: the answer is `{"seen": n, "purged":
/// [session id, …]}`. By another schedule, with `{"task": "keys"}`, it removes ended keys from the
/// usage plan: `{"keys": n, "removed": n}`; with `{"task": "functions"}` it calls every function
/// ([WakeUps]): `{"called": n}`. With `{"task": "recover", "end": instant}` it starts what runners
/// have left unclaimed that all ended then, which is known on one machine only: `{}`.
public final class SweepHandler implements RequestStreamHandler {
  /// The time left for items that were begun.
  private static final Duration GOODBYE = Duration.ofSeconds(9);

  private static final Duration UNLIMITED = Duration.ofHours(1);

  private final JsonMapper json;
  private final Sweep sweep;
  private final Supplier<ApiKeys> keys;
  private final Supplier<EventCalls> calls;
  private final List<String> functions;
  private final Clock clock;
  private final String metrics;

  public SweepHandler() {
    this(Map.of());
  }

  public SweepHandler(Map<String, Object> settings) {
    ApplicationContext application = Application.start(settings);
    this.json = application.getBean(JsonMapper.class);
    this.sweep = application.getBean(Sweep.class);
    this.keys = () -> application.getBean(ApiKeys.class);
    this.calls = () -> application.getBean(EventCalls.class);
    this.functions =
        application.getProperty("functions", Argument.listOf(String.class)).orElse(List.of());
    this.clock = application.getBean(Clock.class);
    this.metrics = application.getProperty("metrics", String.class).orElse("");
  }

  @Override
  public void handleRequest(InputStream input, OutputStream output, @Nullable Context context)
      throws IOException {
    Map<String, Object> event = json.readValue(input, Argument.mapOf(String.class, Object.class));
    output.write(
        json.writeValueAsBytes(
            switch (String.valueOf(event.get("task"))) {
              case "keys" -> tidied(remaining(context));
              case "functions" -> Map.of("called", calls.get().beginEach(functions, WakeUps.EVENT));
              case "recover" -> recovered(Instant.parse(String.valueOf(event.get("end"))));
              default -> swept(remaining(context));
            }));
  }

  private Map<String, Object> recovered(Instant end) {
    sweep.recover(end);
    return Map.of();
  }

  private Map<String, Object> swept(Duration remaining) {
    Sweep.Swept swept = sweep.run(remaining);
    List<String> purged = swept.purged().stream().map(SessionId::toString).toList();
    return Map.of("seen", swept.seen(), "purged", purged);
  }

  private Map<String, Object> tidied(Duration remaining) {
    long end = System.nanoTime() + remaining.toNanos();
    ApiKeys.Tidied tidied = keys.get().tidy(() -> end - System.nanoTime() > 0);
    logKeys(tidied.all());
    return Map.of("keys", tidied.all(), "removed", tidied.removed());
  }

  /// A log line that CloudWatch makes a metric of (embedded metric format).
  private void logKeys(int count) {
    System.out.printf(
        "{\"_aws\":{\"Timestamp\":%d,\"CloudWatchMetrics\":[{\"Namespace\":\"%s\",\"Dimensions\":[[]],"
            + "\"Metrics\":[{\"Name\":\"ApiKeys\"}]}]},\"ApiKeys\":%d}%n",
        clock.millis(), metrics, count);
  }

  /// Outside of Lambda a run has no time limit but its own.
  private static Duration remaining(@Nullable Context context) {
    return context == null
        ? UNLIMITED
        : Duration.ofMillis(context.getRemainingTimeInMillis()).minus(GOODBYE);
  }
}
