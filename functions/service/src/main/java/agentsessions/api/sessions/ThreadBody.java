package agentsessions.api.sessions;

import agentsessions.api.request.CommonJson;
import agentsessions.api.request.Links;
import agentsessions.api.workspace.UsageBody;
import agentsessions.session.SandboxState;
import agentsessions.session.Turn;
import agentsessions.session.TurnError;
import agentsessions.session.id.TurnId;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A thread, which is one turn, as the API shows it. `position` is its place among those that wait
/// for others of its session.
@Serdeable
public record ThreadBody(
    String id,
    String sessionId,
    String status,
    @Nullable Integer position,
    int pendingRequests,
    @Nullable ErrorOfTurn error,
    @Nullable String supersededBy,
    String createdAt,
    @Nullable String startedAt,
    @Nullable String endedAt,
    @Nullable String sandbox,
    @Nullable String model,
    List<RepositoryBody> repositories,
    UsageBody usage,
    @JsonProperty("_links") ThreadLinks links) {
  static final String REQUIRES_ACTION = "requires_action";

  @Serdeable
  record ErrorOfTurn(String code, String message, boolean retryable) {
    static ErrorOfTurn of(TurnError error) {
      return new ErrorOfTurn(error.code(), error.message(), error.retryable());
    }
  }

  @Serdeable
  record ThreadLinks(CommonJson.Href self, CommonJson.Href messages, CommonJson.Href finalMessage) {
    public static ThreadLinks of(Turn turn, Links links) {
      return new ThreadLinks(
          new CommonJson.Href(links.thread(turn.sessionId(), turn.id())),
          new CommonJson.Href(links.threadMessages(turn.sessionId(), turn.id())),
          new CommonJson.Href(links.finalMessage(turn.sessionId(), turn.id())));
    }
  }

  public static ThreadBody of(Turn turn, Links links) {
    Optional<Turn.State.Ended> ended = turn.ended();
    return new ThreadBody(
        turn.id().toString(),
        turn.sessionId().toString(),
        status(turn),
        position(turn),
        turn.pendingRequests(),
        ended.flatMap(end -> Optional.ofNullable(end.error())).map(ErrorOfTurn::of).orElse(null),
        ended
            .flatMap(end -> Optional.ofNullable(end.supersededBy()))
            .map(TurnId::toString)
            .orElse(null),
        CommonJson.time(turn.firstStamp().instant()),
        turn.claimed().map(claim -> CommonJson.time(claim.startedAt())).orElse(null),
        ended.map(end -> CommonJson.time(end.endedAt())).orElse(null),
        ended
            .flatMap(end -> Optional.ofNullable(end.sandbox()))
            .map(SandboxState::word)
            .orElse(null),
        turn.work().model(),
        RepositoryBody.of(turn.work().repositories()),
        UsageBody.of(turn),
        ThreadLinks.of(turn, links));
  }

  /// The word for the status of a turn, whose agent may wait for a decision.
  public static String status(Turn turn) {
    return turn.held().isPresent() ? REQUIRES_ACTION : turn.status().word();
  }

  private static @Nullable Integer position(Turn turn) {
    return turn.state() instanceof Turn.State.Waiting waiting && waiting.position() > 0
        ? waiting.position()
        : null;
  }
}
