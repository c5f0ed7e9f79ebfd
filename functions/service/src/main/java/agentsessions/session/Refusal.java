package agentsessions.session;

import java.util.List;

/// A request that cannot be granted, with an error code and a sentence for its sender. The codes
/// are all errors that a client can cause; the API gives each its HTTP status, in one place.
public final class Refusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /// The error codes of the API.
  public enum Code {
    ALREADY_DECIDED,
    BAD_REQUEST,
    BUDGET_REACHED,
    UNAUTHORIZED,
    FORBIDDEN,
    NOT_FOUND,
    METHOD_NOT_ALLOWED,
    THREAD_CHANGED,
    THREAD_ENDED,
    THREAD_STARTED,
    IDEMPOTENCY_KEY_REUSED,
    LAST_ADMIN_KEY,
    NOTHING_TO_PUSH,
    NOT_LIVE,
    NO_CREDENTIAL,
    QUEUE_FULL,
    REQUEST_CHANGED,
    REQUEST_CLOSED,
    SANDBOX_BUSY,
    SESSION_BUSY,
    TOO_LARGE,
    TOO_MANY_KEYS,
    TOO_MANY_SECRETS,
    TOO_MANY_TURNS,
    TOO_MANY_UPLOADS,
    TOO_MANY_WEBHOOKS,
    UNSUPPORTED_MEDIA_TYPE,
    VALIDATION
  }

  /// The fault of one field of a request.
  public record Detail(String field, String message) {}

  private final Code code;
  private final transient List<Detail> details;

  private Refusal(Code code, String message, List<Detail> details) {
    super(message, null, false, false);
    this.code = code;
    this.details = List.copyOf(details);
  }

  public static Refusal of(Code code, String message) {
    return new Refusal(code, message, List.of());
  }

  public static Refusal notFound(String what) {
    return of(Code.NOT_FOUND, what + " not found");
  }

  public static Refusal unauthorized() {
    return of(
        Code.UNAUTHORIZED,
        "A valid API key is required: send it as Authorization: ApiKey ask_... (only GET"
            + " /rest/v1/health and /rest/v1/openapi.yaml need none)");
  }

  public static Refusal invalid(List<Detail> details) {
    String fields =
        String.join("; ", details.stream().map(d -> d.field() + " " + d.message()).toList());
    return new Refusal(Code.VALIDATION, fields, details);
  }

  public static Refusal invalid(String field, String message) {
    return invalid(List.of(new Detail(field, message)));
  }

  public Code code() {
    return code;
  }

  /// Empty unless the code is `VALIDATION`.
  public List<Detail> details() {
    return details;
  }
}
