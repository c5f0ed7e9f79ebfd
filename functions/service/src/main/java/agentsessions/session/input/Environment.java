package agentsessions.session.input;

import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The environment that a session adds to its agent's own: variables by name and value, secrets of
/// the workspace by name, and a bash script that is run once in a sandbox.
public record Environment(
    Map<String, String> variables, List<String> secrets, @Nullable String setup) {
  public static final Environment NONE = new Environment(Map.of(), List.of(), null);

  /// The part that clients may read back: names only, in order.
  public record Names(List<String> variables, List<String> secrets, boolean setup) {
    public static final Names NONE = new Names(List.of(), List.of(), false);
  }

  public Names names() {
    return new Names(
        List.copyOf(new TreeSet<>(variables.keySet())),
        List.copyOf(new TreeSet<>(secrets)),
        setup != null);
  }

  /// Names only, so that no log can hold a value or the script.
  @Override
  public String toString() {
    return names().toString();
  }
}
