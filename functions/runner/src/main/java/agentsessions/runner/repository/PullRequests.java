package agentsessions.runner.repository;

import agentsessions.runner.control.Deadline;
import agentsessions.runner.network.git.GitHostApi;
import agentsessions.wire.Work;
import java.io.IOException;
import java.util.Optional;

/// The pull requests of pushed changes. An open one of the same branch is reused, so that a retry
/// does not make a second.
///
/// @param api the client for the hosts, which sends the credentials
record PullRequests(GitHostApi api) {

  /// Returns the pushed change with its pull request, if one is wanted.
  ///
  /// @param base the remote's default branch
  /// @param subject the subject of the commit, which is the default title
  RepositoryChange ask(RepositoryChange change, String base, String subject, Deadline time)
      throws InterruptedException {
    Work.Push push = change.repository().push();
    if (push == null || push.pullRequest() == null) {
      return change;
    }
    if (push.pullRequestUrl() != null) {
      return change.requested(push.pullRequestUrl());
    }
    Optional<GitProvider> provider = GitProvider.of(push.provider());
    if (provider.isEmpty()) {
      return change.failed("PULL_REQUEST_FAILED", "It is not known how to ask this host.");
    }
    PullRequestDraft draft = draft(push, push.pullRequest(), base, subject);
    try {
      return change.requested(
          new PullRequestClient(api, change.repository(), provider.get(), time).url(draft));
    } catch (IOException failed) {
      return change.failed(
          "PULL_REQUEST_FAILED", "The pull request could not be made: " + failed.getMessage());
    }
  }

  private static PullRequestDraft draft(
      Work.Push push, Work.PullRequest wanted, String base, String subject) {
    return new PullRequestDraft(
        push.branch(),
        push.base() == null ? base : push.base(),
        wanted.title() == null ? subject : wanted.title(),
        wanted.body() == null ? "" : wanted.body(),
        wanted.draft());
  }
}
