package agentsessions.authorizer.wire;

import org.jspecify.annotations.Nullable;

/// The key pair of the function's role, with the token that goes with it.
record RoleCredentials(String accessKeyId, String secretAccessKey, @Nullable String sessionToken) {
  /// Without the secrets, so that no log can hold them.
  @Override
  public String toString() {
    return accessKeyId;
  }
}
