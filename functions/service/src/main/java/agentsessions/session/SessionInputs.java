package agentsessions.session;

import agentsessions.session.input.Environment;
import agentsessions.session.input.InputFile;
import agentsessions.session.repository.Checkout;
import agentsessions.session.repository.Repository;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The inputs of a new session beside its message.
///
/// @param model the one chosen from the agent's models; null: the agent's own default
/// @param files the files of the first message
public record SessionInputs(
    @Nullable String model,
    List<Checkout> checkouts,
    List<InputFile> files,
    Environment environment) {
  public static final SessionInputs NONE =
      new SessionInputs(null, List.of(), List.of(), Environment.NONE);

  /// The repositories as they are before the first turn.
  public List<Repository> repositories() {
    return checkouts.stream().map(Repository::of).toList();
  }
}
