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
/// @param madeBy the id of the key that made it; null: an operator, a sign-in or an earlier version
///   made it
public record Grant(
    String name,
    Set<Scope> scopes,
    @Nullable Instant expiresAt,
    boolean isSignIn,
    @Nullable String madeBy) {
  public Grant {
    scopes = Set.copyOf(scopes);
  }

  public Grant(String name, Set<Scope> scopes, @Nullable Instant expiresAt) {
    this(name, scopes, expiresAt, false, null);
  }

  /// The same, of a key that another key makes.
  public Grant madeBy(String keyId) {
    return new Grant(name, scopes, expiresAt, isSignIn, keyId);
  }
}
