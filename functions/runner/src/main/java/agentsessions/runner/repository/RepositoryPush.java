package agentsessions.runner.repository;

import agentsessions.rule.WaitingPush;
import agentsessions.runner.agent.tool.PermissionRules;
import agentsessions.runner.control.Deadline;
import agentsessions.runner.network.git.GitProxy;
import agentsessions.runner.network.git.GitRemote;
import agentsessions.runner.network.git.SessionBranch;
import agentsessions.runner.repository.CloneRecords.Clone;
import agentsessions.runner.sandbox.SandboxCommand.Workspace;
import agentsessions.runner.sandbox.SessionFolder;
import agentsessions.wire.RepositoryReport.Pushed;
import agentsessions.wire.Work;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The push of a completed turn's changes, with its pull request if one is wanted.
///
/// Why: decisions 057 and 059.
///
/// @param shown whether the stored patch is pushed, as one commit on the base, and not what the
///   workspace has
/// @param author of the commit
/// @param subject of the commit
record RepositoryPush(
    GitScripts git,
    SessionFolder session,
    CloneRecords clones,
    PullRequests pullRequests,
    boolean shown,
    String author,
    String subject) {
  private static final Logger LOG = LoggerFactory.getLogger(RepositoryPush.class);

  /// Pushes the change, and returns it with the outcome; unchanged if there is nothing to push.
  RepositoryChange run(RepositoryChange change, GitRemote remote, String inspected, Deadline time)
      throws IOException, InterruptedException {
    Clone clone = clones.of(remote.number()).orElseThrow();
    boolean wanted =
        remote.pushes().isPresent()
            && change.state() instanceof RepositoryState.Seen
            && change.fault().isEmpty();
    if (!wanted || isUnmoved((RepositoryState.Seen) change.state(), clone)) {
      return change;
    }
    RepositoryState.Seen seen = (RepositoryState.Seen) change.state();
    SessionBranch branch = remote.pushes().orElseThrow();
    if (branch.ban().isPresent()) {
      PermissionRules.Ruling ban = branch.ban().get();
      return ban.policy() == PermissionRules.Policy.ASK
          ? waiting(change, seen, clone, ban)
          : change.failed("PUSH_REFUSED", ban.reason());
    }
    if (shown) {
      branch.expect(seen.tree(), change.base());
    }
    GitScripts.Answer answer = push(change, seen, clone, remote, inspected, time);
    if (!answer.value("refused").isEmpty()) {
      return change.failed("PUSH_REFUSED", answer.value("refused"));
    }
    if (!answer.outcome().isDone()) {
      return change.failed(
          "PUSH_REFUSED", "The changes could not be pushed: " + git.failure(answer, remote));
    }
    String commit = answer.value("commit");
    record(
        remote,
        clone.with(new CloneRecords.Pushed(branch.name(), seen.head(), seen.tree(), commit)));
    RepositoryChange pushed = change.pushed(new Pushed(branch.name(), commit));
    return pullRequests.ask(pushed, answer.value("base"), subject, time);
  }

  /// A push that was made is reported even where it cannot be recorded. Without the record the next
  /// push may make another commit on this one, which the service knows as the session's.
  private void record(GitRemote remote, Clone clone) {
    try {
      clones.save(session, remote.number(), clone);
    } catch (IOException failed) {
      LOG.warn("record of repository {}: {}", remote.number(), failed.toString());
    }
  }

  /// The commit that what is pushed follows; empty for none.
  private static String head(RepositoryState.Seen seen, Clone clone) {
    return seen.head().isEmpty() ? clone.base() : seen.head();
  }

  private static RepositoryChange waiting(
      RepositoryChange change, RepositoryState.Seen seen, Clone clone, PermissionRules.Ruling ban) {
    if (isMade(change, seen, clone)) {
      return change;
    }
    return seen.isWhole()
        ? change.failed(WaitingPush.CODE, ban.reason())
        : change.failed(
            "PUSH_REFUSED",
            "It has files that cannot be read, so nobody can decide on it. The transcript names them.");
  }

  /// Whether the very same files were pushed to the branch before, with the pull request if one is
  /// wanted, so that there is nothing to decide.
  private static boolean isMade(RepositoryChange change, RepositoryState.Seen seen, Clone clone) {
    Work.Push push = change.repository().push();
    CloneRecords.Pushed last = clone.pushed();
    return push != null
        && (push.pullRequest() == null || push.pullRequestUrl() != null)
        && last != null
        && (last.branch() == null || push.branch().equals(last.branch()))
        && last.tree().equals(seen.tree());
  }

  /// The commit that was pushed for the same head and tree before; empty for none. How it was made
  /// does not matter: it is there, and what is there is not written anew.
  private static String made(RepositoryState.Seen seen, Clone clone) {
    CloneRecords.Pushed last = clone.pushed();
    return last != null
            && (last.head().isEmpty() || last.head().equals(seen.head()))
            && last.tree().equals(seen.tree())
        ? last.commit()
        : "";
  }

  /// Whether nothing was changed in this turn or any before.
  private boolean isUnmoved(RepositoryState.Seen seen, Clone clone) {
    return !seen.isChanged() && head(seen, clone).equals(clone.base()) && clone.pushed() == null;
  }

  /// Pushes, and retries a failure once: after a lost response the branch is found as the first
  /// push left it.
  private GitScripts.Answer push(
      RepositoryChange change,
      RepositoryState.Seen seen,
      Clone clone,
      GitRemote remote,
      String inspected,
      Deadline time)
      throws IOException, InterruptedException {
    Map<String, String> names = names(Instant.now().getEpochSecond());
    GitScripts.Answer first = once(change, seen, clone, remote, inspected, names, time);
    return first.outcome().isDone() || time.isUp()
        ? first
        : once(change, seen, clone, remote, inspected, names, time);
  }

  private GitScripts.Answer once(
      RepositoryChange change,
      RepositoryState.Seen seen,
      Clone clone,
      GitRemote remote,
      String inspected,
      Map<String, String> names,
      Deadline time)
      throws IOException, InterruptedException {
    SessionBranch branch = remote.pushes().orElseThrow();
    List<String> arguments = new ArrayList<>(List.of(inspected, GitProxy.url(remote)));
    if (shown) {
      arguments.addAll(List.of(change.base(), git.io() + "/" + change.patch()));
    } else {
      arguments.addAll(List.of(head(seen, clone), made(seen, clone)));
    }
    arguments.addAll(
        List.of(
            seen.tree(),
            branch.name(),
            subject,
            String.valueOf(branch.adopts()),
            branch.adopted()));
    arguments.addAll(branch.own());
    return shown
        ? git.remote("push-patch.sh", arguments, Workspace.NONE, names, time.remaining())
        : git.remote("push.sh", arguments, Workspace.READ, names, time.remaining());
  }

  private Map<String, String> names(long at) {
    String email = author + "@localhost";
    String date = "@%d +0000".formatted(at);
    return Map.of(
        "GIT_AUTHOR_NAME", author,
        "GIT_AUTHOR_EMAIL", email,
        "GIT_AUTHOR_DATE", date,
        "GIT_COMMITTER_NAME", author,
        "GIT_COMMITTER_EMAIL", email,
        "GIT_COMMITTER_DATE", date);
  }
}
