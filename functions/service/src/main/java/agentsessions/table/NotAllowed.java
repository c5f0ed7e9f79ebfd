package agentsessions.table;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;

/// The refusal of a call by AWS because the caller's role lacks a permission. No repeat mends it: a
/// mistake of the deployment, or a policy of its account.
public final class NotAllowed extends SdkException {
  private static final long serialVersionUID = 1;
  private static final int FORBIDDEN = 403;
  private static final Set<String> CODES =
      Set.of("AccessDenied", "AccessDeniedException", "UnauthorizedOperation");

  /// @param call the action
  public NotAllowed(String call, Throwable refusal) {
    super(SdkException.builder().message(call + ": " + refusal.getMessage()).cause(refusal));
  }

  /// Whether a fault is such a refusal, in AWS's own form.
  public static boolean is(Throwable fault) {
    if (!(fault instanceof AwsServiceException refusal)) {
      return false;
    }
    AwsErrorDetails details = refusal.awsErrorDetails();
    @Nullable String code = details == null ? null : details.errorCode();
    // The answer to a HEAD has no body, and so no code.
    boolean isCoded = code != null && !code.isEmpty();
    return isCoded ? CODES.contains(code) : refusal.statusCode() == FORBIDDEN;
  }
}
