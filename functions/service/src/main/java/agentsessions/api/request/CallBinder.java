package agentsessions.api.request;

import agentsessions.authorizer.Principal;
import agentsessions.authorizer.Scope;
import agentsessions.aws.Authentication;
import agentsessions.session.Refusal;
import agentsessions.session.id.Workspace;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import io.micronaut.context.annotation.Property;
import io.micronaut.core.convert.ArgumentConversionContext;
import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.bind.binders.TypedRequestArgumentBinder;
import io.micronaut.servlet.http.ServletHttpRequest;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The argument binder that makes the `Call` of a request from the gateway's event. Workspace and
/// scopes come from the authorizer's result; where no authorizer stood in front, the key is checked
/// here by the same rules, so that the service is safe behind any front.
@Singleton
final class CallBinder implements TypedRequestArgumentBinder<Call> {
  /// The workspace, id and scopes of the key that a request carries.
  private record Caller(String workspace, String keyId, Set<Scope> scopes) {
    static Caller of(Principal principal) {
      return new Caller(principal.workspace(), principal.keyId(), principal.scopes());
    }

    boolean isKnown() {
      return !workspace.isEmpty() && !keyId.isEmpty();
    }
  }

  private final Authentication keys;
  private final String configuredBaseUrl;
  private final String runnerBaseUrl;
  private final Clock clock;

  CallBinder(
      Authentication keys,
      @Property(name = "base.url", defaultValue = "") String configuredBaseUrl,
      @Property(name = "runner.base.url", defaultValue = "") String runnerBaseUrl,
      Clock clock) {
    this.keys = keys;
    this.configuredBaseUrl = configuredBaseUrl;
    this.runnerBaseUrl = runnerBaseUrl;
    this.clock = clock;
  }

  @Override
  public Argument<Call> argumentType() {
    return Argument.of(Call.class);
  }

  @Override
  public BindingResult<Call> bind(ArgumentConversionContext<Call> context, HttpRequest<?> request) {
    APIGatewayProxyRequestEvent event = event(request);
    Caller caller = caller(event, request.getHeaders().get(HttpHeaders.AUTHORIZATION));
    ScopeCheck.require(request, caller.scopes());
    Call call = call(event, caller);
    return () -> Optional.of(call);
  }

  private static APIGatewayProxyRequestEvent event(HttpRequest<?> request) {
    if (request instanceof ServletHttpRequest<?, ?> servlet
        && servlet.getNativeRequest() instanceof APIGatewayProxyRequestEvent event) {
      return event;
    }
    throw new IllegalStateException("not an event of the gateway");
  }

  private Caller caller(APIGatewayProxyRequestEvent event, @Nullable String authorization) {
    Map<String, Object> authorized = event.getRequestContext().getAuthorizer();
    Caller caller =
        new Caller(
            text(authorized, "workspace"),
            text(authorized, "key_id"),
            Scope.read(text(authorized, "scopes")));
    return caller.isKnown()
        ? caller
        : keys.authenticate(authorization).map(Caller::of).orElseThrow(Refusal::unauthorized);
  }

  private Call call(APIGatewayProxyRequestEvent event, Caller caller) {
    return new Call(
        new Workspace(caller.workspace()),
        caller.keyId(),
        caller.scopes(),
        baseUrl(event),
        runnerBaseUrl(event),
        query(event),
        headers(event),
        plain(event),
        clock.instant());
  }

  /// Runners use the API's own address, since the operator's domain may let through the clients'
  /// paths only. Where none is configured they use the clients' address.
  private String runnerBaseUrl(APIGatewayProxyRequestEvent event) {
    APIGatewayProxyRequestEvent.ProxyRequestContext context = event.getRequestContext();
    return runnerBaseUrl.isEmpty()
        ? baseUrl(event)
        : runnerBaseUrl
            .replace("{api}", String.valueOf(context.getApiId()))
            .replace("{stage}", String.valueOf(context.getStage()));
  }

  private String baseUrl(APIGatewayProxyRequestEvent event) {
    return configuredBaseUrl.isEmpty()
        ? "https://%s/%s"
            .formatted(
                event.getRequestContext().getDomainName(), event.getRequestContext().getStage())
        : configuredBaseUrl;
  }

  private static Map<String, List<String>> query(APIGatewayProxyRequestEvent event) {
    Map<String, List<String>> query = event.getMultiValueQueryStringParameters();
    return query == null ? Map.of() : query;
  }

  private static Map<String, String> headers(APIGatewayProxyRequestEvent event) {
    Map<String, String> headers = event.getHeaders();
    return headers == null ? Map.of() : headers;
  }

  private static byte[] plain(APIGatewayProxyRequestEvent event) {
    byte[] body = body(event);
    return body.length == 0 ? body : ContentEncoding.unpacked(body, coding(headers(event)));
  }

  private static String coding(Map<String, String> headers) {
    return headers.entrySet().stream()
        .filter(header -> header.getKey().equalsIgnoreCase(HttpHeaders.CONTENT_ENCODING))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse("");
  }

  private static byte[] body(APIGatewayProxyRequestEvent event) {
    String body = event.getBody() == null ? "" : event.getBody();
    if (!Boolean.TRUE.equals(event.getIsBase64Encoded())) {
      return body.getBytes(StandardCharsets.UTF_8);
    }
    try {
      return Base64.getDecoder().decode(body);
    } catch (IllegalArgumentException malformed) {
      throw Refusal.of(Refusal.Code.BAD_REQUEST, "The body is not what its encoding says");
    }
  }

  private static String text(@Nullable Map<String, Object> values, String name) {
    Object value = values == null ? null : values.get(name);
    return value == null ? "" : value.toString();
  }
}
