package agentsessions.table;

import agentsessions.authorizer.SdkCalls;
import dev.failsafe.Failsafe;
import dev.failsafe.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.RetryableException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.exception.SdkServiceException;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.TransactionConflictException;
import software.amazon.awssdk.services.dynamodb.model.TransactionInProgressException;

/// The retries of AWS calls: conflicts, throttling and lost answers are tried again with backoff
/// and jitter until the retry deadline, then `Unavailable` is thrown; a refusal for want of a
/// permission becomes `NotAllowed`. The SDK's own few attempts come before.
public final class Retries {
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(800);
  private static final long FIRST_PAUSE_NANOS = 25_000_000;
  private static final int MOST_DOUBLINGS = 6;

  public static <T> T call(String what, Supplier<T> call) {
    try {
      return Failsafe.with(again()).get(() -> SdkCalls.make(call));
    } catch (SdkException fault) {
      if (passing(fault)) {
        throw new Unavailable(what, fault);
      }
      throw NotAllowed.is(fault) ? new NotAllowed(what, fault) : fault;
    }
  }

  /// Keeps of a batch only what AWS left unprocessed, for the next try; true when that is nothing.
  static <T> boolean leave(List<T> batch, List<T> unprocessed) {
    batch.clear();
    batch.addAll(unprocessed);
    if (!unprocessed.isEmpty()) {
      throw RetryableException.create("a part of the batch was left over");
    }
    return true;
  }

  /// Waits before another try of a contended write: the more tries, the longer, so that many who
  /// contend are through soon. The random number is not drawn from what a snapshot may hold, of
  /// which copies would all draw the same.
  public static void pause(String what, int tries) {
    RetryDeadline.check(what);
    long most = FIRST_PAUSE_NANOS << Math.min(tries, MOST_DOUBLINGS);
    LockSupport.parkNanos(new Random().nextLong(most));
  }

  private static RetryPolicy<Object> again() {
    Duration remaining = RetryDeadline.remaining();
    return remaining.compareTo(LONGEST_PAUSE) > 0
        ? RetryPolicy.builder()
            .handleIf(Retries::passing)
            .withBackoff(Duration.ofMillis(20), LONGEST_PAUSE)
            .withJitter(0.5)
            .withMaxAttempts(-1)
            .withMaxDuration(remaining)
            .build()
        : RetryPolicy.builder().withMaxAttempts(1).build();
  }

  /// The SDK does not retry a cancelled transaction: a conflict or throttling among its reasons is
  /// passing, a condition decides.
  private static boolean passing(Throwable fault) {
    return switch (fault) {
      case TransactionCanceledException cancelled ->
          cancelled.cancellationReasons().stream()
                  .map(CancellationReason::code)
                  .noneMatch("ConditionalCheckFailed"::equals)
              && cancelled.cancellationReasons().stream()
                  .map(CancellationReason::code)
                  .anyMatch(Retries::passing);
      case TransactionConflictException _ -> true;
      case TransactionInProgressException _ -> true;
      case SdkServiceException service ->
          service.isThrottlingException() || service.statusCode() >= 500;
      case ApiCallAttemptTimeoutException _ -> true;
      case ApiCallTimeoutException _ -> true;
      case SdkClientException client -> client.retryable() || client.getCause() != null;
      default -> false;
    };
  }

  private static boolean passing(String code) {
    return switch (code) {
      case "TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded" -> true;
      default -> false;
    };
  }

  private Retries() {}
}
