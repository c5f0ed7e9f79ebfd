package agentsessions.session.input;

import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// The names that a client may give to variables of an agent's environment.
public final class VariableName {
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,63}");

  /// What the runner sets itself, and what would change how it, a loader or git behave.
  private static final Pattern RESERVED =
      Pattern.compile("(AGENT_|LD_|GIT_).*|PATH|HOME|USER|BASH_ENV|(?i:.*_PROXY)", Pattern.DOTALL);

  /// What shells set themselves, whatever they are given: refused, since to be dropped in silence
  /// would be worse.
  private static final Set<String> OF_SHELLS =
      Set.of("SHELLOPTS", "BASHOPTS", "BASH_VERSINFO", "UID", "EUID", "PPID", "OPTIND", "LINENO");

  /// What is wrong with it, if anything.
  ///
  /// @param taken what the agent's entry sets
  public static Optional<String> fault(String name, Collection<String> taken) {
    if (!NAME.matcher(name).matches()) {
      return Optional.of("must be named by 1 to 64 letters, digits and _, and no digit first");
    }
    return RESERVED.matcher(name).matches() || OF_SHELLS.contains(name) || taken.contains(name)
        ? Optional.of("must have another name: this one is reserved")
        : Optional.empty();
  }

  private VariableName() {}
}
