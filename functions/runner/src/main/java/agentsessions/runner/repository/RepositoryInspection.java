package agentsessions.runner.repository;

import agentsessions.runner.capture.UntrustedFolder;
import agentsessions.runner.network.git.GitProxy;
import agentsessions.runner.network.git.GitRemote;
import agentsessions.runner.sandbox.SandboxCommand.Workspace;
import agentsessions.runner.sandbox.SessionFolder;
import agentsessions.wire.Work;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// The inspection of one repository after a turn: finds its state and makes the patch of its
/// changes.
///
/// Why: decisions 016 and 059.
///
/// @param folder the turn's own folder, where the patch is written, as this process sees it; no
///   agent has run in it
/// @param turn the number of the turn in its session
/// @param notes takes sentences for the transcript
record RepositoryInspection(
    GitScripts git, SessionFolder session, Path folder, long turn, Consumer<String> notes) {
  private static final Duration MOST = Duration.ofSeconds(60);
  private static final long KIB = 1024;
  private static final int SHA1 = 40;

  /// The start of the name of the folder with what is copied of the agent's git folder.
  private static final String COPIES = "git-";

  /// @param base the commit that the patch is against
  RepositoryChange run(Work.Repository repository, String base, GitRemote remote)
      throws IOException, InterruptedException {
    return RepositoryChange.of(
        repository, base, state(repository, base, remote), new UntrustedFolder(folder), turn);
  }

  private RepositoryState state(Work.Repository repository, String base, GitRemote remote)
      throws IOException, InterruptedException {
    String path = repository.path();
    UntrustedFolder work = new UntrustedFolder(session.work());
    if (!work.isFolder(Path.of(path))) {
      return RepositoryState.Failed.unreadable(path, "it is no folder, or a link leads to it.");
    }
    Path copies = Files.createDirectory(folder.resolve(COPIES + repository.number()));
    AgentGitFolder agents = new AgentGitFolder(work, path, notes);
    AgentGitFolder.Head head = AgentGitFolder.Head.NONE;
    String objects = git.scripts().sandboxes().get().folders().workspace() + "/" + path + "/.git";
    session.user().own(copies);
    if (agents.isThere()) {
      agents.copyTo(copies);
      session.user().ownAll(copies);
      head = agents.head();
    } else {
      notes.accept(
          "The git folder of %s does not count: it is no folder, or borrows the objects of another one. All changes since the clone are found without it."
              .formatted(path));
      objects = git.io() + "/base-" + repository.number();
      GitScripts.Answer fetched =
          git.remote(
              "base.sh",
              List.of(GitProxy.url(remote), base, objects, git.io() + "/" + copies.getFileName()),
              Workspace.NONE,
              Map.of(),
              MOST);
      if (!fetched.outcome().isDone()) {
        return RepositoryState.Failed.unreadable(path, git.failure(fetched, remote));
      }
    }
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
            git.io() + "/" + copies.getFileName(),
            objects + "/objects",
            base.isEmpty() ? agents.format() : format(base));
    GitScripts.Answer answer = git.local("look.sh", arguments, MOST);
    answer.values("note").forEach(notes);
    return RepositoryState.of(answer, path, folder, Path.of(patch), most);
  }

  private static String format(String commit) {
    return commit.length() == SHA1 ? "sha1" : "sha256";
  }

  /// The temporary git folder that an inspection leaves, as the sandbox sees it.
  static String own(GitScripts git, int number) {
    return git.io() + "/look-" + number;
  }
}
