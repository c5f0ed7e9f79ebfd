package agentsessions.api.request;

import agentsessions.authorizer.KeyEnded;
import agentsessions.session.Refusal;
import agentsessions.table.NotAllowed;
import agentsessions.table.Unavailable;
import io.micronaut.context.annotation.Primary;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import io.micronaut.http.server.exceptions.response.ErrorContext;
import io.micronaut.http.server.exceptions.response.ErrorResponseProcessor;
import jakarta.inject.Singleton;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The error responses of the API: the one place where a throwable becomes a status and a body. All
/// bodies have one shape, which never repeats a key, a header or a query.
public final class Problems {
  private static final Logger LOG = LoggerFactory.getLogger(Problems.class);
  private static final String RETRY_AFTER_SECONDS = "2";
  private static final String TURN_ENDS_SECONDS = "30";

  private static final String NO_ROUTE =
      "There is nothing at this path: all begin with /rest/v1, and GET /rest/v1/openapi.yaml lists"
          + " them";
  private static final String SEND_AGAIN =
      "The service is busy; send the same request again shortly";
  private static final String LOOK_FIRST =
      "The service is busy; send the request again shortly with the same Idempotency-Key, or look"
          + " first whether it was accepted";

  /// Stands in bodies until the entry point, which knows the request's id, fills it in.
  public static final String REQUEST_ID = "{request_id}";

  /// The response to a throwable.
  ///
  /// @param method the request's HTTP method
  public static MutableHttpResponse<CommonJson.Problem> of(String method, Throwable fault) {
    return switch (fault) {
      case Refusal refusal -> refused(refusal);
      case KeyEnded _ -> refused(Refusal.unauthorized());
      case Unavailable unavailable -> unavailable(method, unavailable);
      case NotAllowed refused -> unavailable(method, refused);
      default -> internal(fault);
    };
  }

  static MutableHttpResponse<CommonJson.Problem> answer(
      HttpStatus status, String code, String message, @Nullable List<CommonJson.Detail> details) {
    return HttpResponse.<CommonJson.Problem>status(status)
        .body(new CommonJson.Problem(code, message, REQUEST_ID, details))
        .contentType(MediaType.APPLICATION_JSON_TYPE);
  }

  private static MutableHttpResponse<CommonJson.Problem> refused(Refusal refusal) {
    List<CommonJson.Detail> details =
        refusal.details().stream()
            .map(detail -> new CommonJson.Detail(detail.field(), detail.message()))
            .toList();
    MutableHttpResponse<CommonJson.Problem> answer =
        answer(
            status(refusal.code()),
            refusal.code().name(),
            String.valueOf(refusal.getMessage()),
            details.isEmpty() ? null : details);
    return switch (refusal.code()) {
      case UNAUTHORIZED -> answer.header(HttpHeaders.WWW_AUTHENTICATE, "ApiKey");
      case TOO_MANY_TURNS -> answer.header(HttpHeaders.RETRY_AFTER, TURN_ENDS_SECONDS);
      default -> answer;
    };
  }

  private static HttpStatus status(Refusal.Code code) {
    return switch (code) {
      case BAD_REQUEST -> HttpStatus.BAD_REQUEST;
      case UNAUTHORIZED -> HttpStatus.UNAUTHORIZED;
      case FORBIDDEN -> HttpStatus.FORBIDDEN;
      case NOT_FOUND -> HttpStatus.NOT_FOUND;
      case METHOD_NOT_ALLOWED -> HttpStatus.METHOD_NOT_ALLOWED;
      case THREAD_CHANGED,
          THREAD_ENDED,
          THREAD_STARTED,
          QUEUE_FULL,
          IDEMPOTENCY_KEY_REUSED,
          ALREADY_DECIDED,
          BUDGET_REACHED,
          LAST_ADMIN_KEY,
          NOTHING_TO_PUSH,
          NOT_LIVE,
          NO_CREDENTIAL,
          REQUEST_CHANGED,
          REQUEST_CLOSED,
          SANDBOX_BUSY,
          SESSION_BUSY,
          TOO_MANY_KEYS,
          TOO_MANY_SECRETS,
          TOO_MANY_UPLOADS,
          TOO_MANY_WEBHOOKS ->
          HttpStatus.CONFLICT;
      case TOO_LARGE -> HttpStatus.REQUEST_ENTITY_TOO_LARGE;
      case UNSUPPORTED_MEDIA_TYPE -> HttpStatus.UNSUPPORTED_MEDIA_TYPE;
      case TOO_MANY_TURNS -> HttpStatus.TOO_MANY_REQUESTS;
      case VALIDATION -> HttpStatus.UNPROCESSABLE_ENTITY;
    };
  }

  /// A POST may have had its effect, so its client must look first or send an idempotency key; any
  /// other request may simply be repeated.
  private static MutableHttpResponse<CommonJson.Problem> unavailable(
      String method, RuntimeException fault) {
    LOG.atWarn().setCause(fault).log("request.unavailable");
    return answer(
            HttpStatus.SERVICE_UNAVAILABLE,
            "UNAVAILABLE",
            method.equals("POST") ? LOOK_FIRST : SEND_AGAIN,
            null)
        .header(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS);
  }

  private static MutableHttpResponse<CommonJson.Problem> internal(Throwable fault) {
    LOG.atError().setCause(fault).log("request.failed");
    return answer(
        HttpStatus.INTERNAL_SERVER_ERROR, "INTERNAL", "Something went wrong on our side", null);
  }

  /// The handler of exceptions of our own code.
  @Singleton
  static final class OfException
      implements ExceptionHandler<RuntimeException, HttpResponse<CommonJson.Problem>> {
    @Override
    @SuppressWarnings("rawtypes") // as the interface has it
    public HttpResponse<CommonJson.Problem> handle(HttpRequest request, RuntimeException fault) {
      return of(request.getMethodName(), fault);
    }
  }

  /// The handler of requests that the framework refuses: an unknown route, a wrong method or media
  /// type, a body that cannot be read.
  @Singleton
  @Primary
  static final class OfFramework implements ErrorResponseProcessor<CommonJson.Problem> {
    @Override
    public MutableHttpResponse<CommonJson.Problem> processResponse(
        ErrorContext context, MutableHttpResponse<?> response) {
      @Nullable String allowed = response.header(HttpHeaders.ALLOW);
      MutableHttpResponse<CommonJson.Problem> answer = answered(response.code(), allowed);
      return allowed == null ? answer : answer.header(HttpHeaders.ALLOW, allowed);
    }

    private static MutableHttpResponse<CommonJson.Problem> answered(
        int status, @Nullable String allowed) {
      return switch (status) {
        case 404 -> refused(Refusal.of(Refusal.Code.NOT_FOUND, NO_ROUTE));
        case 405 ->
            refused(
                Refusal.of(
                    Refusal.Code.METHOD_NOT_ALLOWED,
                    "Method not allowed: this path takes " + allowed));
        case 413 -> refused(Refusal.of(Refusal.Code.TOO_LARGE, "The body must be at most 1 MiB"));
        case 415 ->
            refused(
                Refusal.of(
                    Refusal.Code.UNSUPPORTED_MEDIA_TYPE, "The body must be application/json"));
        default ->
            status >= 500
                ? internal(new IllegalStateException("the framework answered " + status))
                : refused(
                    Refusal.of(Refusal.Code.BAD_REQUEST, "The request could not be understood"));
      };
    }
  }

  private Problems() {}
}
