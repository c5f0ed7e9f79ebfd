package agentsessions.runner.repository;

import agentsessions.runner.capture.UntrustedFolder;
import agentsessions.runner.sandbox.SessionFolder;
import agentsessions.wire.Work;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/// The inspection of one repository after a turn: finds its state and makes the patch of its
/// changes.
///
/// Why: decision 016.
///
/// @param folder the turn's own folder, where the patch is written, as this process sees it; no
///   agent has run in it
/// @param turn the number of the turn in its session
/// @param notes takes sentences for the transcript
record RepositoryInspection(
    GitScripts git, SessionFolder session, Path folder, long turn, Consumer<String> notes) {
  private static final Duration MOST = Duration.ofSeconds(60);
  private static final long KIB = 1024;

  /// The start of the name of the folder with what is copied of the agent's git folder.
  private static final String COPIES = "git-";

  /// @param base the commit that the patch is against
  RepositoryChange run(Work.Repository repository, String base)
      throws IOException, InterruptedException {
    return RepositoryChange.of(
        repository, base, state(repository, base), new UntrustedFolder(folder), turn);
  }

  private RepositoryState state(Work.Repository repository, String base)
      throws IOException, InterruptedException {
    String path = repository.path();
    AgentGitFolder agents = new AgentGitFolder(new UntrustedFolder(session.work()), path, notes);
    if (!agents.isThere()) {
      return RepositoryState.Failed.unreadable(
          path, "its .git is no folder, or is reached by a link.");
    }
    Path copies = Files.createDirectory(folder.resolve(COPIES + repository.number()));
    agents.copyTo(copies);
    session.user().ownAll(copies);
    AgentGitFolder.Head head = agents.head();
    String patch = "patch-" + repository.number();
    long most = git.scripts().limits().patch();
    List<String> arguments =
        List.of(
            path,
            base,
            own(git, repository.number()),
            git.io() + "/" + patch,
            String.valueOf(most / KIB),
            head.commit(),
            head.branch(),
            git.io() + "/" + COPIES + repository.number());
    GitScripts.Answer answer = git.local("look.sh", arguments, MOST);
    answer.values("note").forEach(notes);
    return RepositoryState.of(answer, path, folder, Path.of(patch), most);
  }

  /// The temporary git folder that an inspection leaves, as the sandbox sees it.
  static String own(GitScripts git, int number) {
    return git.io() + "/look-" + number;
  }
}
