package agentsessions.api.sessions;

import agentsessions.api.request.CommonJson;
import agentsessions.api.request.Links;
import agentsessions.session.Session;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A session as a row of a list.
///
/// The fields from `sourceUrl` to `sessionHtmlUrl` are for clients of the original API.
@Serdeable
record SessionRow(
    String id,
    String agentName,
    @Nullable String title,
    String status,
    boolean isArchived,
    Map<String, String> metadata,
    String threadId,
    @Nullable String runningThreadId,
    int pendingRequests,
    String createdAt,
    String updatedAt,
    @Nullable String model,
    List<RepositoryBody.Line> repositories,
    @Nullable String outcome,
    @Nullable String preview,
    @Nullable String sourceUrl,
    @Nullable String sessionGroupId,
    boolean isPrivate,
    List<String> pullRequests,
    String sessionHtmlUrl,
    @JsonProperty("_links") SessionLinks links) {

  static SessionRow of(Session session, Links links) {
    Optional<Session.Last> last = Optional.ofNullable(session.turns().last());
    return new SessionRow(
        session.id().toString(),
        session.agentName(),
        session.title(),
        SessionBody.status(session),
        session.archived(),
        session.metadata(),
        session.newest().toString(),
        SessionBody.running(session),
        SessionBody.pending(session),
        CommonJson.time(session.createdAt().instant()),
        CommonJson.time(session.updatedAt().instant()),
        session.model(),
        RepositoryBody.Line.of(session.configuration().repositories()),
        last.map(ended -> ended.outcome().word()).orElse(null),
        last.map(Session.Last::preview).orElse(null),
        null,
        null,
        false,
        RepositoryBody.pullRequests(session.configuration().repositories()),
        links.sessionPage(session.id()),
        SessionLinks.of(session, links));
  }
}
