package agentsessions.protocol;

import agentsessions.session.Artifact;
import agentsessions.session.Refusal;
import agentsessions.session.Turn;
import agentsessions.session.repository.Repository;
import agentsessions.wire.RepositoryReport;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The reader of a runner's report on its turn's repositories. The runner is not trusted: only the
/// session's repositories are accepted, in texts of bounded length.
///
/// @param turn as it was claimed
/// @param artifacts that the same report records
/// @param now the time recorded for a push that moved a branch
record RepositoryReports(Turn turn, List<Artifact> artifacts, Instant now) {
  private static final Pattern COMMIT = Pattern.compile("[0-9a-f]{40}|[0-9a-f]{64}");
  private static final Pattern URL = Pattern.compile("https?://[!-~]{1,1990}");
  private static final int MOST_BRANCH = 1_020;
  private static final int MOST_CODE = 64;
  private static final int MOST_MESSAGE = 2_000;

  /// The session's repositories as they are after the report.
  List<Repository> merged(@Nullable List<RepositoryReport> reports) {
    List<Repository> repositories = new ArrayList<>(turn.work().repositories());
    for (RepositoryReport report : reports == null ? List.<RepositoryReport>of() : reports) {
      int index = Objects.requireNonNullElse(report.number(), 0) - 1;
      if (index < 0 || index >= repositories.size()) {
        throw Refusal.invalid("repositories", "must be the session's");
      }
      repositories.set(index, merged(repositories.get(index), report));
    }
    return repositories;
  }

  private Repository merged(Repository before, RepositoryReport report) {
    if (turn.isJob()) {
      return before.after(pushed(before, report), url(before, report), fault(report.error()));
    }
    return new Repository(
        before.url(),
        before.ref(),
        before.path(),
        commit(report.baseCommit()).orElse(before.baseCommit()),
        commit(report.headCommit()).orElse(before.headCommit()),
        cut(report.branch(), MOST_BRANCH),
        new Repository.Changes(
            count(report.filesChanged()), count(report.additions()), count(report.deletions())),
        patch(before, report),
        pushed(before, report),
        url(before, report),
        fault(report.error()));
  }

  private Repository.@Nullable Patch patch(Repository before, RepositoryReport report) {
    String key = report.patchKey();
    String tree = commit(report.tree()).orElse(null);
    if (key == null) {
      Repository.Patch last = before.patch();
      return last != null && last.sha256().equals(report.patchSha256())
          ? new Repository.Patch(last.artifact(), last.objectKey(), last.sha256(), tree)
          : null;
    }
    return artifacts.stream()
        .filter(artifact -> artifact.objectKey().equals(key))
        .map(artifact -> new Repository.Patch(artifact.id(), key, artifact.sha256(), tree))
        .findFirst()
        .orElseThrow(() -> Refusal.invalid("patch_key", "must be of an artifact of the report"));
  }

  private static @Nullable String url(Repository before, RepositoryReport report) {
    String url = report.pullRequestUrl();
    return url != null && URL.matcher(url).matches() ? url : before.pullRequestUrl();
  }

  private Repository.@Nullable Pushed pushed(Repository before, RepositoryReport report) {
    RepositoryReport.Pushed pushed = report.pushed();
    String branch = pushed == null ? null : cut(pushed.branch(), MOST_BRANCH);
    Optional<String> commit = pushed == null ? Optional.empty() : commit(pushed.commit());
    if (branch == null || commit.isEmpty() || isThere(before.pushed(), branch, commit.get())) {
      return before.pushed();
    }
    return new Repository.Pushed(branch, commit.get(), now);
  }

  /// Whether the push is recorded already: a turn with nothing new reports the last push again.
  private static boolean isThere(Repository.@Nullable Pushed last, String branch, String commit) {
    return last != null && last.branch().equals(branch) && last.commit().equals(commit);
  }

  private static Repository.@Nullable Fault fault(RepositoryReport.@Nullable Fault fault) {
    return fault == null
        ? null
        : new Repository.Fault(
            Objects.requireNonNullElse(cut(fault.code(), MOST_CODE), ""),
            Objects.requireNonNullElse(cut(fault.message(), MOST_MESSAGE), ""));
  }

  private static Optional<String> commit(@Nullable String commit) {
    if (commit != null && !COMMIT.matcher(commit).matches()) {
      throw Refusal.invalid("commit", "must be 40 or 64 hexadecimal digits");
    }
    return Optional.ofNullable(commit);
  }

  private static int count(@Nullable Integer count) {
    return Math.max(0, Objects.requireNonNullElse(count, 0));
  }

  private static @Nullable String cut(@Nullable String text, int most) {
    return text == null ? null : TurnReports.cut(text, most, "");
  }
}
