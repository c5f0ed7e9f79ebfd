package agentsessions.session;

import java.util.Locale;

/// The state of the files that a turn left in its sandbox: it decides whether the next turn begins
/// with them.
public enum SandboxState {
  SAVING,
  SAVED,
  LOST;

  /// The word of the API.
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
