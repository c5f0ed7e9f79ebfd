package agentsessions.runner.repository;

/// The content of a new pull request.
record PullRequestDraft(String branch, String base, String title, String body, boolean isDraft) {}
