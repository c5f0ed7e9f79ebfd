package agentsessions.local.front;

import agentsessions.local.front.HttpMessage.Request;
import java.util.Set;
import java.util.regex.Pattern;

/// The size limit of a request's body, which depends on its method, path and token; known before
/// the body is read.
final class BodyLimit {
  /// The limit that the contract states (`limits.request_body_bytes`).
  static final int API = 1 << 20;

  /// The limit of a runner's reports: the largest payload of a Lambda function.
  static final int REPORT = 6 << 20;

  private static final int SMALL = 64 << 10;
  private static final String RUNNER = "/runner/v1/";
  private static final Set<String> REPORTS =
      Set.of(RUNNER + "events", RUNNER + "result", RUNNER + "requests");
  private static final Set<String> SENDING = Set.of("POST", "PUT", "PATCH");

  /// The form of a turn's token: workspace, session, turn and secret.
  private static final Pattern TOKEN =
      Pattern.compile("(?i)Bearer [^.\\s]{1,64}\\.[0-9a-f-]{36}\\.[0-9a-f-]{36}\\.[\\w-]{20,100}");

  private BodyLimit() {}

  /// The limit in bytes; 0: the body is not read at all.
  static int of(Request request) {
    if (!SENDING.contains(request.method())) {
      return 0;
    }
    if (!request.path().startsWith(RUNNER)) {
      return PublicRoutes.has(request) ? 0 : API;
    }
    return REPORTS.contains(request.path()) && hasToken(request) ? REPORT : SMALL;
  }

  private static boolean hasToken(Request request) {
    return request.values("Authorization").stream()
        .anyMatch(value -> TOKEN.matcher(value).matches());
  }
}
