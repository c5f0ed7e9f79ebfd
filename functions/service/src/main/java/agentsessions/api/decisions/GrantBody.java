package agentsessions.api.decisions;

import agentsessions.api.request.CommonJson;
import agentsessions.session.request.SessionGrant;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;

/// Calls that are allowed for the rest of a session, as the API shows them.
@Serdeable
record GrantBody(String id, String title, Tool tool, String createdAt, String keyId) {
  @Serdeable
  record Tool(String name, String kind) {}

  /// All grants of a session.
  @Serdeable
  record GrantPage(List<GrantBody> items) {}

  static GrantBody of(SessionGrant grant) {
    return new GrantBody(
        grant.fingerprint(),
        grant.title(),
        new Tool(grant.toolName(), grant.kind().word()),
        CommonJson.time(grant.createdAt()),
        grant.keyId());
  }
}
