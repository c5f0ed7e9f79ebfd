package agentsessions.aws;

import agentsessions.authorizer.Authorizer;
import agentsessions.authorizer.Principal;
import jakarta.inject.Singleton;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;

/// The authorizer's own rule, for requests that no authorizer has looked at: whatever the front, a
/// key is checked.
@Singleton
public final class Keys {
  private final Authorizer authorizer;

  Keys(Authorizer authorizer) {
    this.authorizer = authorizer;
  }

  public Optional<Principal> authenticate(@Nullable String authorization) {
    try {
      return authorizer.authenticate(authorization);
    } catch (SdkException fault) {
      throw new Unavailable("the look-up of a key", fault);
    }
  }
}
