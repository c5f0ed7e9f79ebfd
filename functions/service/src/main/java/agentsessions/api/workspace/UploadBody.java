package agentsessions.api.workspace;

import agentsessions.api.request.CommonJson;
import agentsessions.store.artifact.Uploads;
import io.micronaut.serde.annotation.Serdeable;
import java.util.Map;

/// An upload that is expected: the presigned link and the headers of its PUT, and the time until
/// which messages may name it.
@Serdeable
record UploadBody(String id, String url, Map<String, String> headers, String expiresAt) {
  static UploadBody of(Uploads.Announced.Accepted accepted) {
    return new UploadBody(
        accepted.upload().id().toString(),
        accepted.link().url(),
        accepted.link().headers(),
        CommonJson.time(accepted.upload().expiresAt()));
  }
}
