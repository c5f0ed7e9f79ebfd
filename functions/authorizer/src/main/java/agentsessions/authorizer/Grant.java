package agentsessions.authorizer;

import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The properties of a key that are set when it is made and never change.
///
/// @param name for people
/// @param expiresAt in whole seconds; null: never
/// @param isSignIn whether it was made by signing in to the console, for a while: then it does not
///   count as a workspace's last administrator
public record Grant(String name, Set<Scope> scopes, @Nullable Instant expiresAt, boolean isSignIn) {
  public Grant {
    scopes = Set.copyOf(scopes);
  }

  public Grant(String name, Set<Scope> scopes, @Nullable Instant expiresAt) {
    this(name, scopes, expiresAt, false);
  }
}
