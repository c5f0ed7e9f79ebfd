package agentsessions.runner.network.model;

import agentsessions.runner.agent.FailureReason;
import agentsessions.runner.usage.TurnUsage;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.eclipse.jetty.http.HttpStatus;
import org.jspecify.annotations.Nullable;

/// The record of a turn's model responses: their usage, and the failures. While the model fails,
/// sentences in the transcript say so: at the first failure in a row, the second, the fourth, and
/// so on, at most 40 in a turn.
public final class ModelResponses {
  /// Transient statuses; all other 4xx statuses are caused by the key or the request.
  private static final Set<Integer> PASSING = Set.of(408, 409, 425, 429);

  private static final int MOST_SENTENCES = 40;

  private final Consumer<String> sentences;
  private final TurnUsage usage;
  private @Nullable Trouble trouble;
  private int inARow;
  private int said;

  /// @param usage collects what the responses use
  public ModelResponses(TurnUsage usage, Consumer<String> sentences) {
    this.usage = usage;
    this.sentences = sentences;
  }

  /// @param passing whether the failure is transient, so a later request may succeed
  private record Trouble(String what, boolean passing) {
    static Trouble of(int status) {
      String reason = "status %d (%s)".formatted(status, HttpStatus.getMessage(status));
      return status >= HttpStatus.INTERNAL_SERVER_ERROR_500 || PASSING.contains(status)
          ? new Trouble("The model answered with " + reason, true)
          : new Trouble("The model refused the request with " + reason, false);
    }
  }

  /// The usage of the responses.
  public TurnUsage usage() {
    return usage;
  }

  /// The error with the model's failure in front, if that was the model's last response: then the
  /// failure decides whether the error is retryable.
  public synchronized FailureReason explain(FailureReason error) {
    return Optional.ofNullable(trouble)
        .map(last ->
            new FailureReason(error.code(), last.what() + ". " + error.message(), last.passing()))
        .orElse(error);
  }

  void answered(int status) {
    if (status < HttpStatus.BAD_REQUEST_400) {
      good();
    } else {
      failed(Trouble.of(status));
    }
  }

  void unreachable() {
    failed(new Trouble("The model could not be reached", true));
  }

  private synchronized void good() {
    trouble = null;
    inARow = 0;
  }

  private synchronized void failed(Trouble last) {
    trouble = last;
    inARow++;
    boolean isPowerOfTwo = Integer.bitCount(inARow) == 1;
    if (isPowerOfTwo && said < MOST_SENTENCES) {
      said++;
      sentences.accept(
          inARow == 1 ? last.what() + "." : last.what() + ", %d times in a row.".formatted(inARow));
    }
  }
}
