package agentsessions.protocol;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.serde.annotation.Serdeable;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The JSON messages of the runner protocol. A runner is not trusted, so every field that it sends
/// may be missing or wrong.
public final class RunnerMessages {
  /// `attempt` counts the tries of one execution from 0; `claimId` names the claim, so that it can
  /// be repeated.
  @Serdeable
  public record ClaimRequest(@Nullable Integer attempt, @Nullable String claimId) {}

  /// Everything a runner needs to run the turn. Times in epoch seconds. `sandboxLost`: the changes
  /// of the turn before are not in the sandbox. `work`: the inputs beside the message, if there are
  /// any. `keys` fill in address and headers of the agent's model, where no container beside the
  /// runner holds them.
  @Serdeable
  public record Instruction(
      String token,
      long fence,
      String sessionId,
      String threadId,
      long turnNumber,
      String agentName,
      Map<String, Object> agent,
      String message,
      double deadlineAt,
      int checkMillis,
      int waitSeconds,
      int renewSeconds,
      @Nullable String snapshotUrl,
      boolean sandboxLost,
      WorkMessages.@Nullable Work work,
      List<Ceiling> ceilings,
      List<Price> prices,
      @Nullable Map<String, String> keys) {

    /// Without the token and other secrets.
    @Override
    public String toString() {
      return "instruction for " + threadId;
    }
  }

  /// A limit on the turn's usage, and how much of it was used before.
  @Serdeable
  public record Ceiling(String scope, String unit, long limit, long used) {}

  /// The price of a model or, with stars in its name, of several: dollars for a million tokens of
  /// each kind.
  @Serdeable
  public record Price(
      String model,
      BigDecimal input,
      BigDecimal output,
      BigDecimal cacheRead,
      BigDecimal cacheWrite,
      BigDecimal cacheWriteHour) {}

  @Serdeable
  public record Live(boolean live) {}

  /// The usage of a turn so far, of one model.
  @Serdeable
  public record UsedModel(
      @Nullable String model,
      @Nullable Long requests,
      @Nullable Long input,
      @Nullable Long output,
      @Nullable Long cacheRead,
      @Nullable Long cacheWrite,
      @Nullable Long cacheWriteHour) {}

  @Serdeable
  public record TurnUsage(
      @Nullable Long requests,
      @Nullable List<UsedModel> models,
      @Nullable Boolean complete,
      @Nullable Long guessedTokens,
      @Nullable Long guessedMicroDollars) {}

  @Serdeable
  public record Renewal(@Nullable TurnUsage usage) {}

  /// `type` is `message` or `tool_call`.
  @Serdeable
  public record Event(@Nullable String type, @Nullable String text) {}

  /// `from` is the number of events that were sent before.
  @Serdeable
  public record Events(@Nullable Integer from, @Nullable List<Event> events) {}

  @Serdeable
  public record Count(int count) {}

  @Serdeable
  record FileSize(@Nullable Long size) {}

  @Serdeable
  record UploadRequest(@Nullable List<FileSize> files) {}

  @Serdeable
  record Upload(String key, String url) {}

  /// The form in which a sandbox is to be saved: parts of `partBytes`, the last of which may be
  /// smaller.
  @Serdeable
  public record Snapshot(int partBytes) {}

  /// `number` counts from 1.
  @Serdeable
  record Part(@Nullable Integer number, @Nullable Long size) {}

  @Serdeable
  record Link(String url) {}

  /// The entity tags of all parts, in order.
  @Serdeable
  public record Parts(@Nullable List<String> tags) {}

  /// `untouched` where the turn changed nothing in the sandbox that had to be saved.
  @Serdeable
  public record Release(@Nullable Boolean untouched, @Nullable TurnUsage usage) {}

  /// The longest time that a task will wait for its session's next turn.
  @Serdeable
  public record Standby(@Nullable Integer seconds) {}

  /// The token with which a waiting task polls for the next turn.
  @Serdeable
  public record Waiting(String token) {
    @Override
    public String toString() {
      return "waiting";
    }
  }

  /// A ticket and the attempt that it is good for; neither where there is no turn yet.
  @Serdeable
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Next(@Nullable String ticket, @Nullable Integer attempt) {
    @Override
    public String toString() {
      return "next by attempt " + attempt;
    }
  }

  @Serdeable
  record Uploads(List<Upload> uploads) {}

  @Serdeable
  record ReportedError(
      @Nullable String code, @Nullable String message, @Nullable Boolean retryable) {}

  @Serdeable
  public record ReportedArtifact(
      @Nullable String key,
      @Nullable String path,
      @Nullable String kind,
      @Nullable String sha256,
      @Nullable String mimeType,
      @Nullable BigDecimal capturedAt) {
    boolean isPlan() {
      return "plan".equals(kind);
    }
  }

  /// `outcome` is `completed`, `failed` or `timed_out`.
  @Serdeable
  public record Report(
      @Nullable String outcome,
      @Nullable String reply,
      @Nullable ReportedError error,
      @Nullable List<ReportedArtifact> artifacts,
      @Nullable List<WorkMessages.RepositoryReport> repositories,
      @Nullable TurnUsage usage) {
    boolean hasPlans() {
      return artifacts != null && artifacts.stream().anyMatch(ReportedArtifact::isPlan);
    }
  }

  @Serdeable
  public record Committed(boolean committed) {}

  private RunnerMessages() {}
}
