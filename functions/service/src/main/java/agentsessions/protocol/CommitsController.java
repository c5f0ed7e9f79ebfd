package agentsessions.protocol;

import agentsessions.session.Refusal;
import agentsessions.session.Turn;
import agentsessions.store.session.Turns;
import agentsessions.turn.CommitLog;
import agentsessions.wire.RunnerMessages;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.Post;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The endpoint by which a runner has a commit recorded before it is pushed. The call may be
/// repeated; 409 `NOT_LIVE` means that the turn is no longer this runner's.
@Controller("/runner/v1")
class CommitsController {
  private static final int MOST_REPOSITORIES = 10;
  private static final Pattern COMMIT = Pattern.compile("[0-9a-f]{40}|[0-9a-f]{64}");

  private final RunnerTokenCheck tokens;
  private final CommitLog commits;

  CommitsController(Turns turns, CommitLog commits) {
    this.tokens = new RunnerTokenCheck(turns);
    this.commits = commits;
  }

  @Post("/commits")
  Map<String, String> record(
      @Header(HttpHeaders.AUTHORIZATION) @Nullable String authorization,
      @Body RunnerMessages.Commit request) {
    Turn turn = tokens.turn(authorization);
    if (!commits.record(turn, repository(request), commit(request))) {
      throw RunnerTokenCheck.notLive();
    }
    return Map.of();
  }

  private static int repository(RunnerMessages.Commit request) {
    int number = request.repository() == null ? 0 : request.repository();
    if (number < 1 || number > MOST_REPOSITORIES) {
      throw Refusal.invalid("repository", "must be the number of one of the session's");
    }
    return number;
  }

  private static String commit(RunnerMessages.Commit request) {
    String commit = request.commit() == null ? "" : request.commit();
    if (!COMMIT.matcher(commit).matches()) {
      throw Refusal.invalid("commit", "must be 40 or 64 hexadecimal digits");
    }
    return commit;
  }
}
