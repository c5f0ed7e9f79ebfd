package agentsessions.api.sessions;

import agentsessions.api.request.CommonJson;
import agentsessions.api.request.Links;
import agentsessions.api.workspace.UsageBody;
import agentsessions.session.NewSession;
import agentsessions.session.Plans;
import agentsessions.session.Receipt;
import agentsessions.session.Session;
import agentsessions.session.id.ArtifactId;
import agentsessions.session.input.Environment;
import agentsessions.store.session.Sessions;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A session as the API shows it.
///
/// The fields from `sourceUrl` to `sessionHtmlUrl` are for clients of the original API; `warnings`
/// are in the response to the session's creation only.
@Serdeable
public record SessionBody(
    String id,
    String agentName,
    @Nullable String title,
    String status,
    boolean isArchived,
    Map<String, String> metadata,
    List<String> planArtifactIds,
    String threadId,
    @Nullable String runningThreadId,
    int pendingRequests,
    @Nullable String job,
    String createdAt,
    String updatedAt,
    @Nullable String model,
    List<RepositoryBody> repositories,
    EnvironmentNames environment,
    UsageBody usage,
    LimitsBody limits,
    @Nullable PermissionsBody permissions,
    @Nullable String sourceUrl,
    @Nullable String sessionGroupId,
    boolean isPrivate,
    List<String> pullRequests,
    String sessionHtmlUrl,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<String> warnings,
    @JsonProperty("_links") SessionLinks links) {
  static final String WORKING = "working";
  static final String IDLE = "idle";

  /// The names of the variables and secrets in an agent's environment, without their values.
  @Serdeable
  record EnvironmentNames(List<String> variables, List<String> secrets, boolean setup) {
    static EnvironmentNames of(Environment.Names names) {
      return new EnvironmentNames(names.variables(), names.secrets(), names.setup());
    }
  }

  public static SessionBody of(Sessions.Loaded loaded, Links links) {
    return of(loaded, null, links);
  }

  /// The response to a session's creation and to its repeats.
  ///
  /// @param warnings a sentence on each field that is ignored
  static SessionBody created(
      Receipt receipt, NewSession newSession, List<String> warnings, Links links) {
    return of(
        new Sessions.Loaded(
            Session.begun(receipt, newSession),
            Plans.NONE,
            Optional.empty(),
            Optional.ofNullable(newSession.permissions())),
        warnings,
        links);
  }

  private static SessionBody of(
      Sessions.Loaded loaded, @Nullable List<String> warnings, Links links) {
    Session session = loaded.session();
    Session.Job job = session.turns().job();
    return new SessionBody(
        session.id().toString(),
        session.agentName(),
        session.title(),
        status(session),
        session.archived(),
        session.metadata(),
        loaded.plans().artifactIds().stream().map(ArtifactId::toString).toList(),
        session.newest().toString(),
        running(session),
        pending(session),
        job == null ? null : job.word(),
        CommonJson.time(session.createdAt().instant()),
        CommonJson.time(session.updatedAt().instant()),
        session.model(),
        RepositoryBody.of(session.configuration().repositories()),
        EnvironmentNames.of(session.configuration().environment()),
        UsageBody.of(loaded),
        LimitsBody.of(session.account().limits()),
        loaded.permissions().map(PermissionsBody::of).orElse(null),
        null,
        null,
        false,
        RepositoryBody.pullRequests(session.configuration().repositories()),
        links.sessionPage(session.id()),
        warnings,
        SessionLinks.of(session, links));
  }

  static String status(Session session) {
    if (pending(session) > 0) {
      return ThreadBody.REQUIRES_ACTION;
    }
    return session.busy() ? WORKING : IDLE;
  }

  /// The number of its requests that wait for a decision.
  static int pending(Session session) {
    return session.request().isPresent() || session.closingRequest().isPresent() ? 1 : 0;
  }

  static @Nullable String running(Session session) {
    return session.working() ? session.currentTurn().toString() : null;
  }
}
