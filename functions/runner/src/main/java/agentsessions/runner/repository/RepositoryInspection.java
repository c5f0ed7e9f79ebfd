package agentsessions.runner.repository;

import agentsessions.runner.capture.UntrustedFolder;
import agentsessions.wire.Work;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/// The inspection of one repository after a turn: finds its state and makes the patch of its
/// changes.
///
/// Why: decision 016.
///
/// @param folder the turn's own folder, where the patch is written, as this process sees it
/// @param turn the number of the turn in its session
/// @param notes takes sentences for the transcript
record RepositoryInspection(GitScripts git, Path folder, long turn, Consumer<String> notes) {
  private static final Duration MOST = Duration.ofSeconds(60);
  private static final long KIB = 1024;

  /// @param base the commit that the patch is against
  RepositoryChange run(Work.Repository repository, String base)
      throws IOException, InterruptedException {
    String patch = "patch-" + repository.number();
    long most = git.scripts().limits().patch();
    List<String> arguments =
        List.of(
            repository.path(),
            base,
            own(git, repository.number()),
            git.io() + "/" + patch,
            String.valueOf(most / KIB));
    GitScripts.Answer answer = git.local("look.sh", arguments, MOST);
    answer.values("note").forEach(notes);
    RepositoryState state =
        RepositoryState.of(answer, repository.path(), folder, Path.of(patch), most);
    return RepositoryChange.of(repository, base, state, new UntrustedFolder(folder), turn);
  }

  /// The temporary git folder that an inspection leaves, as the sandbox sees it.
  static String own(GitScripts git, int number) {
    return git.io() + "/look-" + number;
  }
}
