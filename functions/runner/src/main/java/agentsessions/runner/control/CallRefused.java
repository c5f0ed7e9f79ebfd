package agentsessions.runner.control;

import java.io.IOException;
import java.util.Set;

/// The failure of a call: the service answered with an error that a retry does not help, or with
/// transient errors for longer than it was retried.
public final class CallRefused extends IOException {
  private static final long serialVersionUID = 1;
  private static final Set<Integer> PASSING = Set.of(429, 500, 502, 503, 504);
  private static final int CONFLICT = 409;

  private final int status;
  private final String code;

  CallRefused(String call, int status, String code) {
    super("%s: %d %s".formatted(call, status, code));
    this.status = status;
    this.code = code;
  }

  /// Whether the refusal is permanent.
  public boolean isFinal() {
    return !isTemporary(status);
  }

  /// Whether a status is transient and worth a retry.
  static boolean isTemporary(int status) {
    return PASSING.contains(status);
  }

  public boolean says(String wanted) {
    return status == CONFLICT && code.equals(wanted);
  }
}
