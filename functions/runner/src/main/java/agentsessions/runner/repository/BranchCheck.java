package agentsessions.runner.repository;

import agentsessions.rule.TurnErrorCode;
import agentsessions.runner.agent.TurnFailed;
import agentsessions.runner.network.git.GitProxy;
import agentsessions.runner.network.git.GitRemote;
import agentsessions.runner.network.git.RefAdvertisement;
import agentsessions.runner.network.git.SessionBranch;
import agentsessions.wire.Work;
import java.io.IOException;

/// The check of the target branch before its repository is cloned, so that no agent works for a
/// branch that cannot be pushed.
record BranchCheck(GitProxy proxy, Work.Repository repository, GitRemote remote) {

  /// The head of an existing branch that is adopted; empty for none.
  ///
  /// @throws BranchRefused if it is the remote's default branch, or exists with commits of others
  ///   and is not adopted
  /// @throws TurnFailed if the host does not give its refs
  String adopted() throws TurnFailed {
    if (remote.pushes().isEmpty()) {
      return "";
    }
    SessionBranch branch = remote.pushes().get();
    RefAdvertisement host = ask(branch);
    if (host.defaultRef().filter(("refs/heads/" + branch.name())::equals).isPresent()) {
      throw refused(
          "DEFAULT_BRANCH",
          "The branch %s is the default branch of %s, which nothing is pushed to.",
          branch);
    }
    return host.head().isEmpty() ? "" : adopted(branch, host.head().get());
  }

  /// A session that has pushed before has passed this check; changes to its branch since then are
  /// found by its next push.
  private String adopted(SessionBranch branch, String head) throws BranchRefused {
    if (!branch.adopts() && branch.own().isEmpty()) {
      throw refused(
          "BRANCH_EXISTS",
          "The branch %s of %s is there already, and not this session's. Name another one, or have it moved forward by adopt.",
          branch);
    }
    return branch.adopts() && !branch.own().contains(head) ? head : "";
  }

  private RefAdvertisement ask(SessionBranch branch) throws TurnFailed {
    try {
      return proxy.refs(remote, branch.name());
    } catch (IOException silent) {
      throw new TurnFailed(
          TurnErrorCode.REPOSITORY_UNAVAILABLE,
          "The repository %s could not be cloned, for its host does not say which branches it has: %s"
              .formatted(repository.url(), silent.getMessage()));
    }
  }

  private BranchRefused refused(String code, String why, SessionBranch branch) {
    return new BranchRefused(repository, code, why.formatted(branch.name(), repository.url()));
  }
}
