package agentsessions.api.artifacts;

import agentsessions.api.request.Call;
import agentsessions.api.request.NeedsScope;
import agentsessions.authorizer.Scope;
import agentsessions.aws.Bucket;
import agentsessions.session.Export;
import agentsessions.session.ExportId;
import agentsessions.session.Refusal;
import agentsessions.session.Session;
import agentsessions.session.id.SessionKey;
import agentsessions.store.export.Exports;
import agentsessions.store.session.Sessions;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import java.time.Clock;

/// The endpoints for the exports of a session: one file with all of it, built on demand.
@Controller("/rest/v1/sessions/{session_id}/exports")
class ExportsController {
  private final Sessions sessions;
  private final Exports exports;
  private final Bucket bucket;
  private final Clock clock;

  ExportsController(Sessions sessions, Exports exports, Bucket bucket, Clock clock) {
    this.sessions = sessions;
    this.exports = exports;
    this.bucket = bucket;
    this.clock = clock;
  }

  @Post
  @NeedsScope(Scope.READ)
  HttpResponse<ExportBody> create(Call call, String session_id) {
    Session session =
        sessions.load(call.sessionKey(session_id)).orElseThrow(() -> Refusal.notFound("Session"));
    ExportBody body = body(exports.ask(session, call.baseUrl()));
    HttpStatus status = body.isWorking() ? HttpStatus.ACCEPTED : HttpStatus.OK;
    return HttpResponse.status(status).body(body).contentType(MediaType.APPLICATION_JSON_TYPE);
  }

  @Get("/{export_id}")
  @NeedsScope(Scope.READ)
  ExportBody load(Call call, String session_id, String export_id) {
    SessionKey key = call.sessionKey(session_id);
    ExportId id =
        ExportId.parse(export_id).orElseThrow(() -> Refusal.invalid("export_id", "must be a UUID"));
    Exports.Found found = exports.find(key, id);
    if (!found.sessionFound()) {
      throw Refusal.notFound("Session");
    }
    return found.export().map(this::body).orElseThrow(() -> Refusal.notFound("Export"));
  }

  private ExportBody body(Export export) {
    return switch (export.at(clock.instant())) {
      case Export.State.Working _ -> ExportBody.working(export);
      case Export.State.Failed _ -> ExportBody.failed(export);
      case Export.State.Ready _ ->
          ExportBody.ready(export, link(export), clock.instant().plus(Bucket.DOWNLOAD));
    };
  }

  private String link(Export export) {
    String name = "session-%s.zip".formatted(export.sessionKey().id());
    return bucket.downloadLink(
        export.objectKey(), "application/zip", ArtifactsController.disposition(name));
  }
}
