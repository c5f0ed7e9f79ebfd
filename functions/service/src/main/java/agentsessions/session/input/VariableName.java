package agentsessions.session.input;

import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// The rules for the names of variables that a client may add to an agent's environment.
public final class VariableName {
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,63}");

  /// Names that the runner sets itself, and names that would change the behaviour of the runner, a
  /// loader or git.
  private static final Pattern RESERVED =
      Pattern.compile("(AGENT_|LD_|GIT_).*|PATH|HOME|USER|BASH_ENV|(?i:.*_PROXY)", Pattern.DOTALL);

  /// Names that shells set themselves, whatever they are given: refused, since to drop them in
  /// silence would be worse.
  private static final Set<String> OF_SHELLS =
      Set.of("SHELLOPTS", "BASHOPTS", "BASH_VERSINFO", "UID", "EUID", "PPID", "OPTIND", "LINENO");

  /// The fault of a name, if it has one.
  ///
  /// @param taken the names that the agent's entry sets
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
