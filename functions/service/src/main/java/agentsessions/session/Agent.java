package agentsessions.session;

import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;

/// An entry of the catalogue `infra/agents.yaml`. `entry` is what the runner gets, untouched; the
/// service itself reads only the name, the description and the time limit.
public record Agent(
    String name, String description, Duration timeLimit, Map<String, Object> entry) {
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_-]{0,63}");

  /// Whether a catalogue can have an agent of this name.
  public static boolean isName(String text) {
    return NAME.matcher(text).matches();
  }
}
