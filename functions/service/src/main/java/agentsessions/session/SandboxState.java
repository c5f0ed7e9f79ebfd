package agentsessions.session;

import java.util.Locale;

/// What became of the files that a turn left in its sandbox: whether the next turn begins with
/// them.
public enum SandboxState {
  SAVING,
  SAVED,
  LOST;

  /// The word of the API.
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
