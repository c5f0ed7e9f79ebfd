package agentsessions.api.workspace;

import agentsessions.api.request.CommonJson;
import agentsessions.session.input.Secret;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;

/// All secrets of a workspace, by name.
@Serdeable
record SecretPage(List<SecretBody> items) {
  /// A secret, without its value.
  @Serdeable
  record SecretBody(String name, List<String> hosts, boolean environment, String updatedAt) {
    static SecretBody of(Secret secret) {
      return new SecretBody(
          secret.name(), secret.hosts(), secret.environment(), CommonJson.time(secret.updatedAt()));
    }
  }
}
