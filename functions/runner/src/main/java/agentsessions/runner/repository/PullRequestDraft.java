package agentsessions.runner.repository;

/// What a pull request is to be.
record PullRequestDraft(String branch, String base, String title, String body, boolean isDraft) {}
