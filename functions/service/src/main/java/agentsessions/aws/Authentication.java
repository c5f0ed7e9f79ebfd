package agentsessions.aws;

import agentsessions.authorizer.Authorizer;
import agentsessions.authorizer.KeyRecord;
import agentsessions.authorizer.Principal;
import agentsessions.authorizer.WorkspaceKeys;
import agentsessions.session.id.Workspace;
import agentsessions.table.Retries;
import agentsessions.table.Unavailable;
import jakarta.inject.Singleton;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;

/// The authentication of requests that no authorizer has checked, by the authorizer's own rules: a
/// key is checked, whatever stands in front of the service.
@Singleton
public final class Authentication {
  private final Authorizer authorizer;
  private final WorkspaceKeys keys;

  Authentication(Authorizer authorizer, WorkspaceKeys keys) {
    this.authorizer = authorizer;
    this.keys = keys;
  }

  public Optional<Principal> authenticate(@Nullable String authorization) {
    try {
      return authorizer.authenticate(authorization);
    } catch (SdkException fault) {
      throw new Unavailable("the look-up of a key", fault);
    }
  }

  /// The record of a key.
  public Optional<KeyRecord> find(Workspace workspace, String keyId) {
    return Retries.call("GetItem", () -> keys.find(workspace.name(), keyId));
  }
}
