package agentsessions.api.artifacts;

import agentsessions.api.request.Call;
import agentsessions.api.request.CommonJson;
import agentsessions.api.request.NeedsScope;
import agentsessions.api.request.PageRange;
import agentsessions.api.request.Query;
import agentsessions.authorizer.Scope;
import agentsessions.session.Artifact;
import agentsessions.session.Refusal;
import agentsessions.session.id.ArtifactId;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.TurnId;
import agentsessions.store.artifact.Artifacts;
import agentsessions.store.session.Sessions;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/// The endpoints for the artifacts of a session: plans and files, with their download links.
@Controller("/rest/v1/sessions/{session_id}/artifacts")
public class ArtifactsController {
  private static final int MOST_RECORDS = 500;

  private final Artifacts artifacts;
  private final Sessions sessions;
  private final Downloads downloads;

  ArtifactsController(Artifacts artifacts, Sessions sessions, Downloads downloads) {
    this.artifacts = artifacts;
    this.sessions = sessions;
    this.downloads = downloads;
  }

  @Get("/{artifact_id}")
  @NeedsScope(Scope.READ)
  ArtifactBody load(Call call, String session_id, String artifact_id) {
    SessionKey key = call.sessionKey(session_id);
    ArtifactId id =
        ArtifactId.parse(artifact_id)
            .orElseThrow(() -> Refusal.invalid("artifact_id", "must be a UUID"));
    Artifacts.Found found = artifacts.find(key, id);
    if (!found.sessionFound()) {
      throw Refusal.notFound("Session");
    }
    return found.artifact().map(downloads::of).orElseThrow(() -> Refusal.notFound("Artifact"));
  }

  @Get
  @NeedsScope(Scope.READ)
  ArtifactPage list(Call call, String session_id) {
    SessionKey key = call.sessionKey(session_id);
    Query query = call.parameters();
    Optional<String> kind = query.oneOf("kind", "plan", "file");
    Optional<String> plan = query.one("plan_id").map(ArtifactsController::planId);
    Optional<TurnId> thread = query.one("thread_id").map(Call::listedThread);
    PageRange page =
        PageRange.read(
            query, call.links().artifacts(key.id()), true, "kind", "plan_id", "thread_id", "limit");
    if (sessions.load(key).isEmpty()) {
      throw Refusal.notFound("Session");
    }
    List<Artifact> read = artifacts.list(key, page.first(), page.last(), true, MOST_RECORDS);
    List<Artifact> matching =
        read.stream()
            .filter(artifact -> kind.map(artifact.kind()::equals).orElse(true))
            .filter(artifact ->
                plan.map(id -> id.equals(String.valueOf(artifact.planId()))).orElse(true))
            .filter(artifact -> thread.map(artifact.turnId()::equals).orElse(true))
            .toList();
    List<Artifact> shown = matching.subList(0, Math.min(page.limit(), matching.size()));
    return new ArtifactPage(
        shown.stream().map(downloads::of).toList(), links(page, read, matching, shown));
  }

  /// A page that has read its maximum of records has a `next`, even where few of them matched.
  private static CommonJson.PageLinks links(
      PageRange page, List<Artifact> read, List<Artifact> matching, List<Artifact> shown) {
    if (matching.size() > shown.size()) {
      return page.links(shown.getLast().id().toString());
    }
    return page.links(read.size() == MOST_RECORDS ? read.getLast().id().toString() : null);
  }

  private static String planId(String text) {
    return ArtifactId.parse(text)
        .map(ArtifactId::toString)
        .orElseThrow(() -> Refusal.invalid("plan_id", "must be a UUID"));
  }

  /// The `Content-Disposition` of a download under its own name (RFC 6266): plain for old clients,
  /// exact in the encoded form.
  public static String disposition(String fileName) {
    String plain = fileName.replaceAll("[^ -~]|[\"\\\\%]", "_");
    String exact =
        URLEncoder.encode(fileName, StandardCharsets.UTF_8).replace("+", "%20").replace("*", "%2A");
    return "attachment; filename=\"%s\"; filename*=UTF-8''%s".formatted(plain, exact);
  }
}
