package agentsessions.aws;

import io.micronaut.core.type.Argument;
import io.micronaut.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.lambda.LambdaClient;
import software.amazon.awssdk.services.lambda.model.InvokeRequest;
import software.amazon.awssdk.services.lambda.model.InvokeResponse;

/// Lambda for launches of runners: keeps their input, and starts nothing.
///
/// @param tenants the tenant of each launch, where launches are told apart
/// @param refusal the exception that is thrown in place of a start, if any
public record Launches(
    List<Map<String, Object>> events,
    List<String> tenants,
    AtomicReference<@Nullable RuntimeException> refusal)
    implements LambdaClient, AwsStandIn {
  private static final JsonMapper JSON = JsonMapper.createDefault();

  public Launches() {
    this(new CopyOnWriteArrayList<>(), new CopyOnWriteArrayList<>(), new AtomicReference<>());
  }

  public RunnerFunction function() {
    return function(false);
  }

  public RunnerFunction function(boolean tenants) {
    return new RunnerFunction(new EventCalls(this, JSON), "runner", tenants);
  }

  @Override
  public InvokeResponse invoke(InvokeRequest request) {
    RuntimeException refused = refusal.get();
    if (refused != null) {
      throw refused;
    }
    if (request.tenantId() != null) {
      tenants.add(request.tenantId());
    }
    try {
      events.add(
          JSON.readValue(
              request.payload().asByteArray(), Argument.mapOf(String.class, Object.class)));
    } catch (IOException odd) {
      throw new UncheckedIOException(odd);
    }
    return InvokeResponse.builder().build();
  }
}
