package agentsessions.session;

import agentsessions.session.input.Environment;
import agentsessions.session.input.InputFile;
import agentsessions.session.repository.Checkout;
import agentsessions.session.repository.Repository;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a session is to start with beside its message.
///
/// @param model the chosen one of the agent's; null: the agent's own default
/// @param files of the first message
public record Inputs(
    @Nullable String model,
    List<Checkout> checkouts,
    List<InputFile> files,
    Environment environment) {
  public static final Inputs NONE = new Inputs(null, List.of(), List.of(), Environment.NONE);

  /// As they are before anybody has looked at them.
  public List<Repository> repositories() {
    return checkouts.stream().map(Repository::of).toList();
  }

  /// Whether there is something to be kept for every turn of the session.
  public boolean stay() {
    return !checkouts.isEmpty() || !environment.names().equals(Environment.Names.NONE);
  }
}
