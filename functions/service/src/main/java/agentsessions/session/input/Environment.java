package agentsessions.session.input;

import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// What an agent's environment gets beside what its entry says: variables by name and value,
/// secrets of the workspace by name, and a bash script that is run once in a sandbox.
public record Environment(
    Map<String, String> variables, List<String> secrets, @Nullable String setup) {
  public static final Environment NONE = new Environment(Map.of(), List.of(), null);

  /// What a client may see of it again. The lists are in order of names.
  public record Names(List<String> variables, List<String> secrets, boolean setup) {
    public static final Names NONE = new Names(List.of(), List.of(), false);
  }

  public Names names() {
    return new Names(
        List.copyOf(new TreeSet<>(variables.keySet())),
        List.copyOf(new TreeSet<>(secrets)),
        setup != null);
  }

  /// Never a value, never the script.
  @Override
  public String toString() {
    return names().toString();
  }
}
