package agentsessions.authorizer;

import java.util.function.Supplier;
import software.amazon.awssdk.core.exception.SdkClientException;

/// Calls of AWS that fail with an `SdkException`, also where the HTTP client throws another
/// exception.
public final class SdkCalls {
  private SdkCalls() {}

  /// The HTTP client throws an `IllegalStateException` when an attempt runs out of time while it
  /// connects, which may be tried again. Any other one is a bug of ours, and trying mends nothing.
  public static <T> T make(Supplier<T> call) {
    try {
      return call.get();
    } catch (IllegalStateException fault) {
      if (isOfHttpClient(fault)) {
        throw SdkClientException.create("cut short", fault);
      }
      throw fault;
    }
  }

  private static boolean isOfHttpClient(IllegalStateException fault) {
    StackTraceElement[] trace = fault.getStackTrace();
    return trace.length > 0 && !trace[0].getClassName().startsWith("agentsessions.");
  }
}
