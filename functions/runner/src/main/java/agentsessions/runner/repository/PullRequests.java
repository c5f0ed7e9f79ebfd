package agentsessions.runner.repository;

import agentsessions.runner.control.TimeLeft;
import agentsessions.runner.control.Work;
import agentsessions.runner.network.git.HostApi;
import java.io.IOException;
import java.util.Optional;

/// Asks hosts for pull requests. One that is open for the branch already is found again, so that
/// asking twice makes one.
///
/// @param api by which hosts are asked, with their credentials
record PullRequests(HostApi api) {

  /// A pushed change with its pull request, where one is wanted.
  ///
  /// @param base the remote's default branch
  /// @param subject of the commit, if the client has no title
  RepositoryChange ask(RepositoryChange change, String base, String subject, TimeLeft time)
      throws InterruptedException {
    Work.Push push = change.repository().push();
    if (push == null || push.pullRequest() == null) {
      return change;
    }
    if (push.pullRequestUrl() != null) {
      return change.requested(push.pullRequestUrl());
    }
    Optional<Provider> provider = Provider.of(push.provider());
    if (provider.isEmpty()) {
      return change.failed("PULL_REQUEST_FAILED", "It is not known how to ask this host.");
    }
    PullRequestDraft draft = draft(push, push.pullRequest(), base, subject);
    try {
      return change.requested(
          new Asking(api, change.repository(), provider.get(), time).url(draft));
    } catch (IOException failed) {
      return change.failed(
          "PULL_REQUEST_FAILED", "The pull request could not be made: " + failed.getMessage());
    }
  }

  private static PullRequestDraft draft(
      Work.Push push, Work.PullRequest asked, String base, String subject) {
    return new PullRequestDraft(
        push.branch(),
        push.base() == null ? base : push.base(),
        asked.title() == null ? subject : asked.title(),
        asked.body() == null ? "" : asked.body(),
        asked.draft());
  }
}
