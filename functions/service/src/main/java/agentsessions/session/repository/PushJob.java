package agentsessions.session.repository;

import agentsessions.rule.TurnErrorCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A job of a session: the push of a repository's last patch, and its pull request, without an
/// agent and without a message.
///
/// @param repository its number in the session, from 1
/// @param push the destination, always with a pull request
/// @param subject of a commit that is made for it
public record PushJob(int repository, Checkout.Push push, String subject) {
  /// The longest time to its claim, and again from there to its end.
  public static final Duration LONGEST = Duration.ofMinutes(5);

  private static final String FAILED = "PULL_REQUEST_FAILED";
  private static final Set<TurnErrorCode> UNKNOWN =
      Set.of(TurnErrorCode.NOT_STARTED, TurnErrorCode.RUNNER_LOST, TurnErrorCode.TIME_LIMIT);

  /// The session's repositories after it has failed as a whole. A fault that its runner has
  /// reported of the repository says more, and stays.
  ///
  /// @param before as they were when it began
  /// @param reported as its runner has left them; empty where nothing is known
  /// @param code of the turn's error
  public List<Repository> failed(
      List<Repository> before, List<Repository> reported, String code, String message) {
    List<Repository> all = new ArrayList<>(reported.isEmpty() ? before : reported);
    Repository own = all.get(repository - 1);
    Repository.@Nullable Fault earlier = before.get(repository - 1).fault();
    if (Objects.equals(own.fault(), earlier)) {
      Repository.Fault fault = new Repository.Fault(FAILED, sentence(code, message));
      all.set(repository - 1, own.after(own.pushed(), own.pullRequestUrl(), fault));
    }
    return all;
  }

  /// What is said of a turn is about its agent.
  private static String sentence(String code, String message) {
    return UNKNOWN.stream().anyMatch(unknown -> unknown.name().equals(code))
        ? "What makes it was lost, or took too long (%s). Ask again: an open one is not made twice."
            .formatted(code)
        : message;
  }
}
