package agentsessions.turn;

import io.micronaut.context.annotation.Property;
import jakarta.inject.Singleton;

/// What the operator of this deployment allows sessions to be given.
@Singleton
public final class Allowed {
  private static final String CONFINED = "bubblewrap";

  private final boolean privateHosts;
  private final boolean git;
  private final boolean secrets;

  /// @param allowPrivate whether hosts of private addresses may be reached, and by plain http
  /// @param git whether the runner has a `git`
  /// @param isolation what keeps an agent in its sandbox
  /// @param trustSecrets whether agents that nothing confines may come near secrets
  public Allowed(
      @Property(name = "allow.private", defaultValue = "false") boolean allowPrivate,
      @Property(name = "git.installed", defaultValue = "false") boolean git,
      @Property(name = "isolation", defaultValue = "") String isolation,
      @Property(name = "trust.secrets", defaultValue = "false") boolean trustSecrets) {
    this.privateHosts = allowPrivate;
    this.git = git;
    this.secrets = trustSecrets || isolation.equals(CONFINED);
  }

  public boolean privateHosts() {
    return privateHosts;
  }

  public boolean git() {
    return git;
  }

  /// Whether a secret may come near an agent: as a credential, for a push, or as a variable.
  public boolean secrets() {
    return secrets;
  }
}
