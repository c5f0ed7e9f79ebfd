package agentsessions.authorizer;

import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What is said of a key when it is made, and never changes.
///
/// @param name for people
/// @param expiresAt in whole seconds; null: never
/// @param isSignIn made by signing in to the console, for a while: it is no workspace's last way in
public record Grant(String name, Set<Scope> scopes, @Nullable Instant expiresAt, boolean isSignIn) {
  public Grant {
    scopes = Set.copyOf(scopes);
  }

  public Grant(String name, Set<Scope> scopes, @Nullable Instant expiresAt) {
    this(name, scopes, expiresAt, false);
  }
}
