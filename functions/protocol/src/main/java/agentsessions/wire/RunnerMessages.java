package agentsessions.wire;

import agentsessions.rule.Question;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The small requests and responses of the runner protocol, in the order of a turn.
public final class RunnerMessages {
  /// The request that claims the turn of a ticket.
  ///
  /// @param attempt the number of earlier attempts of the execution
  /// @param claimId the idempotency key of the claim
  public record Claim(@Nullable Integer attempt, @Nullable String claimId) {}

  /// The response that says whether the caller still has the turn.
  public record Live(boolean live) {}

  /// The request that renews the lease.
  public record Renewal(@Nullable UsageReport usage) {}

  /// An event of the transcript: a message of the agent or a tool call.
  ///
  /// @param type `message` or `tool_call`
  public record Event(@Nullable String type, @Nullable String text) {
    public static final String MESSAGE = "message";
    public static final String TOOL_CALL = "tool_call";
  }

  /// The request that adds events to the transcript.
  ///
  /// @param from the number of events that were sent before, so that a repeat adds none twice
  public record Events(@Nullable Integer from, @Nullable List<Event> events) {
    /// The most events of one request.
    public static final int MOST = 90;
  }

  /// The response with the number of events on record.
  public record Count(int count) {}

  /// The size of a file to be uploaded, in bytes.
  public record FileSize(@Nullable Long size) {}

  /// The request for an upload link for each of these files.
  public record UploadRequest(@Nullable List<FileSize> files) {
    /// The most files that a turn may record.
    public static final int MOST = 40;
  }

  /// An upload link for one file.
  ///
  /// @param key the key of the object
  /// @param url the presigned link for the upload, a secret
  public record Upload(String key, String url) {
    @Override
    public String toString() {
      return key;
    }
  }

  /// The upload links, in the order of the files.
  public record Uploads(List<Upload> uploads) {}

  /// The request that records a commit, before it is pushed.
  public record Commit(@Nullable Integer repository, @Nullable String commit) {}

  /// The request for a person's decision on a tool call, or for answers.
  ///
  /// @param call names the call within the turn, so that a repeat asks nothing twice
  /// @param kind one of the kinds of tools
  /// @param title one line for people
  /// @param input the call's input as JSON, with secrets masked
  /// @param fingerprint the SHA-256 of kind, tool and canonical input, in hexadecimal
  /// @param questions those that the call asks, with secrets masked; null if it is a call like any
  /// @param parkable whether the turn can be parked for this call; null: it cannot
  public record DecisionRequest(
      @Nullable String call,
      @Nullable String tool,
      @Nullable String kind,
      @Nullable String title,
      @Nullable String input,
      @Nullable String fingerprint,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<Question> questions,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Boolean parkable) {
    /// The longest input, in bytes of UTF-8: a person is to see all of what is decided.
    public static final int MOST_INPUT = 256 * 1024;
  }

  /// The response: what has become of the request.
  ///
  /// @param id in the paths of the calls that ask again
  /// @param status `pending`, `decided`, `expired` or `closed`
  /// @param decision `allow`, `allow_session` or `deny`, once it is decided
  /// @param note the decider's words
  /// @param answers the values by question; null where there was none
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record DecisionState(
      String id,
      String status,
      @Nullable String decision,
      @Nullable String note,
      @Nullable Map<String, List<String>> answers) {}

  /// The request that parks the turn: its agent has ended, its sandbox is saved, and this runner
  /// goes.
  ///
  /// @param request the id of the request that the turn waits for
  /// @param untouched whether the turn changed nothing that would have to be saved
  public record Parking(
      @Nullable String request, @Nullable Boolean untouched, @Nullable UsageReport usage) {}

  /// The response: whether this runner has left the turn, which is parked, or queued again if it
  /// was decided meanwhile. Otherwise the turn is still this runner's.
  public record Parked(boolean parked) {}

  /// The response to a result.
  ///
  /// @param released whether this runner no longer holds the sandbox, so that no release is needed
  public record Ended(boolean released) {}

  /// The response that opens the upload of a sandbox: all parts have this size, only the last may
  /// be smaller.
  public record Snapshot(int partBytes) {}

  /// The request for the upload link of one part of a sandbox.
  ///
  /// @param number the position of the part, from 1
  /// @param size in bytes
  public record Part(@Nullable Integer number, @Nullable Long size) {}

  /// The presigned link for one part, a secret.
  public record Link(String url) {
    @Override
    public String toString() {
      return "link";
    }
  }

  /// The request that completes the upload: the parts become one object.
  ///
  /// @param tags the entity tags of all parts, in order
  public record Parts(@Nullable List<String> tags) {}

  /// The request that releases the sandbox.
  ///
  /// @param untouched whether the turn changed nothing that would have to be saved
  public record Release(@Nullable Boolean untouched, @Nullable UsageReport usage) {}

  /// The request by which a task announces that it will wait for its session's next turn.
  ///
  /// @param seconds the longest wait
  public record Standby(@Nullable Integer seconds) {}

  /// The response to a task that may wait.
  ///
  /// @param token the bearer token of the calls that poll for the next turn
  public record Waiting(String token) {
    @Override
    public String toString() {
      return "waiting";
    }
  }

  /// The response to such a poll: a ticket and the attempt that it is for, or neither if there is
  /// no turn yet.
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Next(@Nullable String ticket, @Nullable Integer attempt) {
    @Override
    public String toString() {
      return "next by attempt " + attempt;
    }
  }

  private RunnerMessages() {}
}
