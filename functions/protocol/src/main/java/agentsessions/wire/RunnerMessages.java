package agentsessions.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The small messages of a turn, call by call: what is asked, and what is answered.
public final class RunnerMessages {
  /// Asks for the turn of a ticket.
  ///
  /// @param attempt how often the execution has tried before
  /// @param claimId names the claim, so that it can be repeated
  public record Claim(@Nullable Integer attempt, @Nullable String claimId) {}

  /// Whether the turn is still the caller's to run.
  public record Live(boolean live) {}

  /// Keeps the lease.
  public record Renewal(@Nullable UsageReport usage) {}

  /// Something an agent said or did.
  ///
  /// @param type `message` or `tool_call`
  public record Event(@Nullable String type, @Nullable String text) {
    public static final String MESSAGE = "message";
    public static final String TOOL_CALL = "tool_call";
  }

  /// Adds to the transcript.
  ///
  /// @param from how many events were sent before
  public record Events(@Nullable Integer from, @Nullable List<Event> events) {
    /// How many one call may bring.
    public static final int MOST = 90;
  }

  /// How many events are recorded.
  public record Count(int count) {}

  /// Of a file to be stored, in bytes.
  public record FileSize(@Nullable Long size) {}

  /// Asks for a place for each of these files.
  public record UploadRequest(@Nullable List<FileSize> files) {
    /// How many files a turn may record.
    public static final int MOST = 40;
  }

  /// A place for a file.
  ///
  /// @param key the object's name
  /// @param url where to put it: a secret
  public record Upload(String key, String url) {
    @Override
    public String toString() {
      return key;
    }
  }

  /// The places, in the order of the files.
  public record Uploads(List<Upload> uploads) {}

  /// A commit that is to be on record before it is pushed.
  public record Commit(@Nullable Integer repository, @Nullable String commit) {}

  /// What was asked for is on record.
  public record Committed(boolean committed) {}

  /// How a sandbox is to be saved: in parts of so many bytes, the last of which may be smaller.
  public record Snapshot(int partBytes) {}

  /// Asks where to put a part of a sandbox.
  ///
  /// @param number from 1
  public record Part(@Nullable Integer number, @Nullable Long size) {}

  /// Where to put a part: a secret.
  public record Link(String url) {
    @Override
    public String toString() {
      return "link";
    }
  }

  /// Makes all parts one.
  ///
  /// @param tags the entity tags of all parts, in order
  public record Parts(@Nullable List<String> tags) {}

  /// Lets the sandbox go.
  ///
  /// @param untouched where the turn changed nothing in the sandbox that had to be saved
  public record Release(@Nullable Boolean untouched, @Nullable UsageReport usage) {}

  /// Says that a task will wait for its session's next turn.
  ///
  /// @param seconds how long, at most
  public record Standby(@Nullable Integer seconds) {}

  /// It may wait.
  ///
  /// @param token by which the next turn is asked for
  public record Waiting(String token) {
    @Override
    public String toString() {
      return "waiting";
    }
  }

  /// A ticket and the attempt that it is good for; neither where there is no turn yet.
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Next(@Nullable String ticket, @Nullable Integer attempt) {
    @Override
    public String toString() {
      return "next by attempt " + attempt;
    }
  }

  private RunnerMessages() {}
}
