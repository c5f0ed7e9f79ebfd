package agentsessions.lambda;

import agentsessions.api.request.CommonJson;
import agentsessions.api.request.Console;
import agentsessions.api.request.HttpDefaults;
import agentsessions.api.request.Problems;
import agentsessions.aws.DownloadOrigin;
import agentsessions.aws.RefusedCalls;
import agentsessions.table.LargeReads;
import agentsessions.table.RetryDeadline;
import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import io.micronaut.context.ApplicationContext;
import io.micronaut.function.aws.proxy.payload1.ApiGatewayProxyEventHandler;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.json.JsonMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// The Lambda entry point of everything behind API Gateway: a proxy event of a REST API in, its
/// response out. Every failure, too, is answered in the API's own shape.
public final class ApiHandler implements RequestStreamHandler {
  private static final int FAULT = 500;
  private static final int NO_REQUEST = 0;
  private static final Logger LOG = LoggerFactory.getLogger(ApiHandler.class);

  private final ApplicationContext application;
  private final ApiGatewayProxyEventHandler routes;
  private final JsonMapper json;
  private final HttpDefaults defaults;
  private final Console console;
  private final GatewayEventCodec codec = new GatewayEventCodec();
  private final Duration timeLimit;

  /// The constructor that Lambda calls.
  public ApiHandler() {
    this(Map.of());
    String routes = Objects.requireNonNullElse(System.getenv("PRIME"), "GET /rest/v1/me");
    RefusedCalls.expected(() -> prime(routes));
  }

  public ApiHandler(Map<String, Object> settings) {
    this.application = Application.start(settings);
    this.routes = new ApiGatewayProxyEventHandler(application);
    this.json = application.getBean(JsonMapper.class);
    this.defaults =
        new HttpDefaults(application.getProperty("cors.origin", String.class).orElse(""));
    this.console =
        new Console(
            json,
            application.getProperty("base.url", String.class).orElse(""),
            () -> application.getBean(DownloadOrigin.class).text());
    this.timeLimit =
        application
            .getProperty("request.seconds", Long.class)
            .map(Duration::ofSeconds)
            .orElse(RetryDeadline.REQUEST);
  }

  @Override
  public void handleRequest(InputStream input, OutputStream output, Context context)
      throws IOException {
    int _ = LargeReads.within(() -> handle(input, output));
  }

  private int handle(InputStream input, OutputStream output) throws IOException {
    long start = System.nanoTime();
    APIGatewayProxyRequestEvent event = codec.read(input);
    if (event.getHttpMethod() == null) {
      return NO_REQUEST; // a call that keeps the function active: WakeUps
    }
    String requestId =
        Optional.ofNullable(event.getRequestContext().getRequestId())
            .orElseGet(() -> UUID.randomUUID().toString());
    // HEAD is answered as GET; the gateway leaves out the body.
    if (event.getHttpMethod().equals("HEAD")) {
      event.setHttpMethod("GET");
    }
    Optional<APIGatewayProxyResponseEvent> unrouted =
        HttpDefaults.answer(event).or(() -> console.answer(event));
    APIGatewayProxyResponseEvent answer = unrouted.isPresent() ? unrouted.get() : answer(event);
    finish(answer, event, requestId);
    codec.write(answer, output);
    log(event, answer, requestId, System.nanoTime() - start);
    return answer.getStatusCode();
  }

  /// Answers the requests of [PrimingRequests] until one fails, as where the table is not there
  /// yet; then makes the calls for which these stop too early.
  ///
  /// @param routes as in `template.yaml`, separated by commas
  /// @return the status of each answer
  public List<Integer> prime(String routes) {
    List<Integer> statuses = new ArrayList<>();
    PrimingRequests requests = new PrimingRequests(routes);
    for (String event : requests.events()) {
      int status = primed(event);
      statuses.add(status);
      if (status >= FAULT) {
        break;
      }
    }
    Priming.load();
    if (requests.write()) {
      Priming.query(application);
      Priming.write(application);
      Priming.start(application);
    }
    return statuses;
  }

  private int primed(String event) {
    try {
      return handle(
          new ByteArrayInputStream(event.getBytes(StandardCharsets.UTF_8)),
          OutputStream.nullOutputStream());
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private APIGatewayProxyResponseEvent answer(APIGatewayProxyRequestEvent event)
      throws IOException {
    try {
      return RetryDeadline.within(timeLimit, () -> routed(event));
    } catch (Exception fault) {
      MutableHttpResponse<CommonJson.Problem> problem = Problems.of(event.getHttpMethod(), fault);
      APIGatewayProxyResponseEvent answer = new APIGatewayProxyResponseEvent();
      answer.setStatusCode(problem.code());
      answer.setBody(json.writeValueAsString(Objects.requireNonNull(problem.body())));
      answer.setMultiValueHeaders(
          new HashMap<>(Map.of("Content-Type", List.of("application/json"))));
      return answer;
    }
  }

  /// The framework's own function does the same, but leaves behind a bean for each request's
  /// context, and a shutdown hook that closes the application while others still need it.
  private APIGatewayProxyResponseEvent routed(APIGatewayProxyRequestEvent event) {
    return routes
        .exchange(event, new APIGatewayProxyResponseEvent())
        .getResponse()
        .getNativeResponse();
  }

  private void finish(
      APIGatewayProxyResponseEvent answer, APIGatewayProxyRequestEvent event, String requestId) {
    Map<String, List<String>> headers = new HashMap<>();
    Optional.ofNullable(answer.getMultiValueHeaders()).ifPresent(headers::putAll);
    headers.put("X-Request-Id", List.of(requestId));
    if (answer.getStatusCode() != 401 && keyed(event)) {
      headers.put("RateLimit-Policy", List.of("\"default\";q=100;w=60"));
    }
    defaults.finish(event, answer, headers);
    answer.setMultiValueHeaders(headers);
    if (answer.getStatusCode() >= 400 && answer.getBody() != null) {
      answer.setBody(answer.getBody().replace(Problems.REQUEST_ID, requestId));
    }
  }

  private static boolean keyed(APIGatewayProxyRequestEvent event) {
    String path = event.getPath();
    return path.startsWith("/rest/v1/")
        && !path.equals("/rest/v1/health")
        && !path.equals("/rest/v1/openapi.yaml");
  }

  /// The caller's workspace or key id, from the authorizer's result; `-` where there is none.
  private static Object authorized(APIGatewayProxyRequestEvent event, String name) {
    Map<String, Object> authorizer = event.getRequestContext().getAuthorizer();
    Object value = authorizer == null ? null : authorizer.get(name);
    return value == null ? "-" : value;
  }

  /// One line for each request, never with its body, headers or query. Runners ask again and again
  /// whether their turn is still live, which is worth a line only when something is wrong.
  private static void log(
      APIGatewayProxyRequestEvent event,
      APIGatewayProxyResponseEvent answer,
      String requestId,
      long nanos) {
    boolean routine = event.getPath().startsWith("/runner/") && answer.getStatusCode() < 400;
    LOG.atLevel(routine ? Level.DEBUG : Level.INFO)
        .addKeyValue("request", requestId)
        .addKeyValue("method", event.getHttpMethod())
        .addKeyValue("path", event.getPath())
        .addKeyValue("status", answer.getStatusCode())
        .addKeyValue("workspace", authorized(event, "workspace"))
        .addKeyValue("key", authorized(event, "key_id"))
        .addKeyValue("ms", nanos / 1_000_000)
        .log("request");
  }
}
