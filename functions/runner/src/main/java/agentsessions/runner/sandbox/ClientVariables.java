package agentsessions.runner.sandbox;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// The environment variables that a client has chosen, for a command in a sandbox.
///
/// They get their names only inside the sandbox, as the agent's user: outside, some names make the
/// programs that build the sandbox load code from files that an agent writes (`LOCPATH` and
/// `GCONV_PATH`, for two). Their values are on no command line.
///
/// @param variables values by name
public record ClientVariables(Map<String, String> variables) {
  private static final String CARRIER = "AGENT_GIVEN_";

  /// Variables that shells reserve: setting one ends some shells, and has no effect in others.
  private static final Set<String> OF_SHELLS =
      Set.of("SHELLOPTS", "BASHOPTS", "BASH_VERSINFO", "UID", "EUID", "PPID", "OPTIND", "LINENO");

  public ClientVariables {
    variables = new LinkedHashMap<>(variables);
    variables.keySet().removeAll(OF_SHELLS);
  }

  /// A command in front of which a shell sets the variables.
  public List<String> words(List<String> command) {
    if (variables.isEmpty()) {
      return command;
    }
    List<String> words = new ArrayList<>(List.of("/bin/sh", "-c", script(), "given"));
    words.addAll(command);
    return words;
  }

  /// The environment of that shell: the values under neutral names.
  public Map<String, String> environment() {
    Map<String, String> carriers = new LinkedHashMap<>();
    variables.values().forEach(value -> carriers.put(CARRIER + carriers.size(), value));
    return carriers;
  }

  private String script() {
    List<String> names = List.copyOf(variables.keySet());
    return "export %s\nunset %s\nexec \"$@\"\n"
        .formatted(
            IntStream.range(0, names.size())
                .mapToObj(index -> "%s=\"$%s%d\"".formatted(names.get(index), CARRIER, index))
                .collect(Collectors.joining(" ")),
            String.join(" ", environment().keySet()));
  }
}
