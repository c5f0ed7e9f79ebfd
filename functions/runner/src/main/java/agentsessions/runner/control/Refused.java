package agentsessions.runner.control;

import java.io.IOException;
import java.util.Set;

/// The service answered with an error that repeating does not help, or not at all.
public final class Refused extends IOException {
  private static final long serialVersionUID = 1;
  private static final Set<Integer> PASSING = Set.of(429, 500, 502, 503, 504);
  private static final int CONFLICT = 409;

  private final int status;
  private final String code;

  Refused(String call, int status, String code) {
    super("%s: %d %s".formatted(call, status, code));
    this.status = status;
    this.code = code;
  }

  /// Whether the service has answered for good.
  public boolean isFinal() {
    return !mayPass(status);
  }

  /// Whether a status is worth another try.
  static boolean mayPass(int status) {
    return PASSING.contains(status);
  }

  public boolean says(String wanted) {
    return status == CONFLICT && code.equals(wanted);
  }
}
