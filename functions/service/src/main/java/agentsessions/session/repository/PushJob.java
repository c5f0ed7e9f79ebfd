package agentsessions.session.repository;

import agentsessions.rule.TurnErrorCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A job of a session: the push of the last patches of repositories, and their pull requests,
/// without an agent and without a message.
///
/// @param targets at least one
/// @param subject of a commit that is made for it
/// @param allowed whether a person has allowed it, where the session's permissions ask
public record PushJob(List<Target> targets, String subject, boolean allowed) {
  /// The longest time to its claim, and again from there to its end.
  public static final Duration LONGEST = Duration.ofMinutes(5);

  private static final String PUSH_REFUSED = "PUSH_REFUSED";
  private static final String PULL_REQUEST_FAILED = "PULL_REQUEST_FAILED";
  private static final Set<TurnErrorCode> UNKNOWN =
      Set.of(TurnErrorCode.NOT_STARTED, TurnErrorCode.RUNNER_LOST, TurnErrorCode.TIME_LIMIT);

  /// A repository that is pushed.
  ///
  /// @param repository its number in the session, from 1
  /// @param push the destination
  public record Target(int repository, Checkout.Push push) {}

  /// The job of one repository, which nobody has decided on.
  public static PushJob of(int repository, Checkout.Push push, String subject) {
    return new PushJob(List.of(new Target(repository, push)), subject, false);
  }

  /// The destination of a repository; empty where the job is not about it.
  public Optional<Checkout.Push> push(int repository) {
    return targets.stream()
        .filter(target -> target.repository() == repository)
        .findFirst()
        .map(Target::push);
  }

  /// Whether it only pushes.
  public boolean makesNoPullRequest() {
    return targets.stream().allMatch(target -> target.push().pullRequest() == null);
  }

  /// The session's repositories after it has failed as a whole. A fault that its runner has
  /// reported of a repository says more, and stays.
  ///
  /// @param before as they were when it began
  /// @param reported as its runner has left them; empty where nothing is known
  /// @param code of the turn's error
  public List<Repository> failed(
      List<Repository> before, List<Repository> reported, String code, String message) {
    List<Repository> all = new ArrayList<>(reported.isEmpty() ? before : reported);
    for (Target target : targets) {
      int index = target.repository() - 1;
      Repository own = all.get(index);
      if (Objects.equals(own.fault(), before.get(index).fault())) {
        Repository.Fault fault =
            new Repository.Fault(code(target.push().pullRequest()), sentence(code, message));
        all.set(index, own.with(fault));
      }
    }
    return all;
  }

  /// The session's repositories after a person has denied it.
  ///
  /// @param note the person's words
  public List<Repository> denied(List<Repository> before, @Nullable String note) {
    List<Repository> all = new ArrayList<>(before);
    String said = note == null || note.isBlank() ? "" : ": " + note.strip();
    Repository.Fault fault =
        new Repository.Fault(PUSH_REFUSED, "A person has denied this push" + said);
    for (Target target : targets) {
      int index = target.repository() - 1;
      all.set(index, all.get(index).with(fault));
    }
    return all;
  }

  private static String code(Checkout.@Nullable PullRequest wanted) {
    return wanted == null ? PUSH_REFUSED : PULL_REQUEST_FAILED;
  }

  /// What is said of a turn is about its agent.
  private static String sentence(String code, String message) {
    return UNKNOWN.stream().anyMatch(unknown -> unknown.name().equals(code))
        ? "What makes it was lost, or took too long (%s). Ask again: nothing is made twice."
            .formatted(code)
        : message;
  }
}
