package agentsessions.runner.control;

import agentsessions.runner.agent.Encoded;
import agentsessions.runner.agent.Json;
import agentsessions.runner.agent.Limits;
import agentsessions.runner.agent.TurnError;
import agentsessions.runner.agent.Utf8;
import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The result of a turn, as `POST /result` reports it.
public record TurnResult(
    String outcome,
    @Nullable String reply,
    @Nullable TurnError error,
    List<UploadedFile> artifacts,
    List<RepositoryReport> repositories,
    @Nullable UsageReport usage) {

  /// The largest event that Lambda accepts (6 MiB and a little), less room for its fields beside
  /// the body. In bytes.
  private static final long MOST = 6_291_556 - 64 * 1024;

  /// The longest beginning of a reply that the service keeps, and that fits into the request.
  public static String fitting(
      String reply, List<UploadedFile> artifacts, List<RepositoryReport> repositories)
      throws JsonProcessingException {
    TurnResult rest = of(new TurnOutcome.Completed(""), artifacts, repositories);
    // Inside the event's JSON, escaping at most doubles the length.
    long room = MOST - 2L * Json.MAPPER.writeValueAsBytes(rest).length;
    return Encoded.clip(
        Utf8.exceeds(reply, Limits.REPLY) ? Utf8.clip(reply, Limits.REPLY) : reply, room);
  }

  /// The same with the turn's usage.
  public TurnResult using(UsageReport total) {
    return new TurnResult(outcome, reply, error, artifacts, repositories, total);
  }

  public static TurnResult of(
      TurnOutcome verdict, List<UploadedFile> artifacts, List<RepositoryReport> repositories) {
    return switch (verdict) {
      case TurnOutcome.Completed(String reply) ->
          new TurnResult("completed", reply, null, artifacts, repositories, null);
      case TurnOutcome.Failed(TurnError error) ->
          new TurnResult("failed", null, error, artifacts, repositories, null);
      case TurnOutcome.Overfull(TurnError error) ->
          new TurnResult("failed", null, error, artifacts, repositories, null);
      case TurnOutcome.TimedOut(TurnError error) ->
          new TurnResult("timed_out", null, error, artifacts, repositories, null);
    };
  }
}
