package agentsessions.api.sessions;

import agentsessions.api.workspace.KeyBody;
import agentsessions.authorizer.KeyRecord;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The JSON objects about the service itself: its agents, its health, and the caller's key with its
/// rights.
final class ServiceBody {
  @Serdeable
  record AgentPage(List<AgentBody> items, List<Absence> notOffered) {}

  @Serdeable
  record Absence(String name, String reason) {}

  @Serdeable
  record Limits(int requestsPerMinute, int messageBytes, int requestBodyBytes, int liveKeys) {}

  @Serdeable
  record Me(
      String workspace,
      String keyId,
      String name,
      List<String> scopes,
      @Nullable String expiresAt,
      Limits limits) {
    static Me of(KeyRecord key, Limits limits) {
      return new Me(
          key.workspace(),
          key.id(),
          key.grant().name(),
          KeyBody.scopes(key.grant().scopes()),
          KeyBody.time(key.grant().expiresAt()),
          limits);
    }
  }

  @Serdeable
  record Health(
      String status,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String isolation,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String memory,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Boolean git,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String version) {}

  private ServiceBody() {}
}
