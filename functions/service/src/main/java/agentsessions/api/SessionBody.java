package agentsessions.api;

import agentsessions.aws.Sessions;
import agentsessions.session.ArtifactId;
import agentsessions.session.Plans;
import agentsessions.session.Session;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A session as the API shows it.
///
/// `planArtifactIds` is left out of list rows. From `sourceUrl` to `sessionHtmlUrl` stands what
/// clients of the original API read.
@Serdeable
record SessionBody(
    String id,
    String agentName,
    @Nullable String title,
    String status,
    boolean isArchived,
    Map<String, String> metadata,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<String> planArtifactIds,
    String threadId,
    String createdAt,
    String updatedAt,
    @Nullable String sourceUrl,
    @Nullable String sessionGroupId,
    boolean isPrivate,
    @Nullable List<String> pullRequests,
    String sessionHtmlUrl,
    @JsonProperty("_links") SessionLinks links) {
  @Serdeable
  record SessionLinks(
      Wire.Href self,
      Wire.Href messages,
      Wire.Href thread,
      Wire.Href finalMessage,
      Wire.Href latestFinalMessage) {
    static SessionLinks of(Session session, Links links) {
      return new SessionLinks(
          new Wire.Href(links.session(session.id())),
          new Wire.Href(links.messages(session.id())),
          new Wire.Href(links.thread(session.id(), session.currentTurn())),
          new Wire.Href(links.finalMessage(session.id(), session.firstTurn())),
          new Wire.Href(links.finalMessage(session.id(), session.currentTurn())));
    }
  }

  static SessionBody of(Sessions.Loaded loaded, Links links) {
    return of(loaded.session(), ids(loaded.plans()), links);
  }

  static SessionBody row(Session session, Links links) {
    return of(session, null, links);
  }

  private static SessionBody of(Session session, @Nullable List<String> plans, Links links) {
    return new SessionBody(
        session.id().toString(),
        session.agentName(),
        session.title(),
        session.working() ? "working" : "idle",
        session.archived(),
        session.metadata(),
        plans,
        session.currentTurn().toString(),
        Wire.time(session.createdAt().instant()),
        Wire.time(session.updatedAt().instant()),
        null,
        null,
        false,
        List.of(),
        links.sessionPage(session.id()),
        SessionLinks.of(session, links));
  }

  private static List<String> ids(Plans plans) {
    return plans.artifactIds().stream().map(ArtifactId::toString).toList();
  }
}
