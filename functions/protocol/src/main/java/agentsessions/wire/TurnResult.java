package agentsessions.wire;

import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The result of a turn, as its runner reports it.
///
/// @param outcome `completed`, with a reply; `failed` or `timed_out`, with an error
/// @param release whether the sandbox is to be released with the result, since it stays on its
///   machine and there is nothing to save
public record TurnResult(
    @Nullable String outcome,
    @Nullable String reply,
    @Nullable Fault error,
    @Nullable List<Artifact> artifacts,
    @Nullable List<RepositoryReport> repositories,
    @Nullable UsageReport usage,
    @Nullable Boolean release) {
  /// The longest reply that is kept, in bytes of UTF-8.
  public static final int MOST_REPLY = 1024 * 1024;

  public static final String COMPLETED = "completed";
  public static final String FAILED = "failed";
  public static final String TIMED_OUT = "timed_out";

  /// The same result, with the sandbox released.
  public TurnResult releasing() {
    return new TurnResult(outcome, reply, error, artifacts, repositories, usage, true);
  }

  /// The error of a turn without a reply.
  ///
  /// @param message a sentence for the client
  /// @param retryable whether sending the same message again may help
  public record Fault(
      @Nullable String code, @Nullable String message, @Nullable Boolean retryable) {}

  /// An uploaded file of the sandbox.
  ///
  /// @param key the key of the object, which the service gave with the upload link
  /// @param path the path at which the agent sees the file
  /// @param kind `plan` or `file`
  /// @param capturedAt in epoch seconds
  public record Artifact(
      @Nullable String key,
      @Nullable String path,
      @Nullable String kind,
      @Nullable String sha256,
      @Nullable String mimeType,
      @Nullable BigDecimal capturedAt) {
    public static final String PLAN = "plan";
    public static final String FILE = "file";
  }
}
