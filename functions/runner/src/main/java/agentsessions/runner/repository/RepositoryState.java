package agentsessions.runner.repository;

import agentsessions.runner.capture.Digest;
import agentsessions.runner.capture.UntrustedFolder;
import agentsessions.runner.sandbox.AgentProcess.Ending;
import agentsessions.wire.RepositoryReport.Fault;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The state of a repository after a turn.
public sealed interface RepositoryState {

  /// The repository could be read.
  ///
  /// @param head the commit that is checked out; empty if there is none
  /// @param branch the branch that is checked out; empty: a detached commit
  /// @param tree the id of a tree with all files of the work tree
  /// @param sha256 of the patch
  /// @param size of the patch, in bytes; 0: nothing is changed
  /// @param isWhole whether all files could be read
  record Seen(
      String head,
      String branch,
      String tree,
      int files,
      int additions,
      int deletions,
      String sha256,
      long size,
      boolean isWhole)
      implements RepositoryState {

    public boolean isChanged() {
      return size > 0;
    }
  }

  /// The repository could not be read, or its changes exceed the limit.
  record Failed(Fault fault) implements RepositoryState {

    static Failed unreadable(String path, String why) {
      return new Failed(
          new Fault(
              "REPOSITORY_UNAVAILABLE",
              "%s cannot be read as a repository any more: %s".formatted(path, why)));
    }
  }

  /// Whether git ended because of a limit: 25 is SIGXFSZ, the kernel's signal for too large a file.
  private static boolean isTooMuch(GitScripts.Answer answer) {
    int status = answer.outcome().status();
    Ending ending = answer.outcome().ending();
    return status == 128 + 25 || ending != Ending.EXIT;
  }

  /// Reads the state from git's output.
  ///
  /// @param folder the turn's own folder, which holds the patch
  /// @param most the size limit of a file that git writes, in bytes
  static RepositoryState of(
      GitScripts.Answer answer, String path, Path folder, Path patch, long most)
      throws IOException {
    if (answer.outcome().isDone()) {
      return seen(answer, folder, patch);
    }
    return isTooMuch(answer) || answer.failure().contains("File size limit")
        ? new Failed(
            new Fault(
                "PATCH_TOO_LARGE",
                "The changes in %s are larger than %d MiB, or took longer than a minute to find."
                    .formatted(path, most >> 20)))
        : Failed.unreadable(path, answer.failure());
  }

  private static Seen seen(GitScripts.Answer answer, Path folder, Path patch) throws IOException {
    Function<String, Integer> count = word -> count(answer.value("stat"), word);
    try (InputStream content = new UntrustedFolder(folder).read(patch)) {
      return new Seen(
          answer.value("head"),
          answer.value("branch"),
          answer.value("tree"),
          count.apply("file"),
          count.apply("insertion"),
          count.apply("deletion"),
          Digest.of(content),
          (long) Files.getAttribute(folder.resolve(patch), "size", LinkOption.NOFOLLOW_LINKS),
          !answer.value("whole").isEmpty());
    }
  }

  /// A number from git's summary: ` 3 files changed, 1 insertion(+), 2 deletions(-)`.
  private static int count(String stat, String word) {
    Matcher number = Pattern.compile("(\\d+) " + word).matcher(stat);
    return number.find() ? Integer.parseInt(number.group(1)) : 0;
  }
}
