package agentsessions.runner.protocol;

import agentsessions.runner.agent.TurnError;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What became of a turn, as `POST /result` says it.
public record Result(
    String outcome,
    @Nullable String reply,
    @Nullable TurnError error,
    List<Artifact> artifacts,
    List<String> notes) {

  public static Result of(Verdict verdict, List<Artifact> artifacts, List<String> notes) {
    return switch (verdict) {
      case Verdict.Completed(String reply) ->
          new Result("completed", reply, null, artifacts, notes);
      case Verdict.Failed(TurnError error) -> new Result("failed", null, error, artifacts, notes);
      case Verdict.TimedOut(TurnError error) ->
          new Result("timed_out", null, error, artifacts, notes);
    };
  }
}
