package agentsessions.runner.repository;

import agentsessions.rule.TurnErrorCode;
import agentsessions.runner.agent.TurnFailed;
import agentsessions.runner.capture.Globs;
import agentsessions.runner.capture.UntrustedFolder;
import agentsessions.runner.control.SignedLink;
import agentsessions.runner.network.git.GitProxy;
import agentsessions.runner.network.git.GitRemote;
import agentsessions.runner.repository.CloneRecords.Clone;
import agentsessions.runner.sandbox.AgentProcess.Ending;
import agentsessions.runner.sandbox.SandboxCommand.Workspace;
import agentsessions.wire.Work;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Scanner;
import java.util.function.Consumer;

/// The clone of one repository into the sandbox.
///
/// @param folder the turn's own, as this process sees it
/// @param author the name for the agent's commits
/// @param plans patterns of plans, relative to the repository
/// @param notes receives sentences for the transcript
record RepositoryClone(
    GitScripts git, Path folder, String author, Globs plans, Consumer<String> notes) {

  /// Clones the repository; empty if the turn was lost meanwhile.
  ///
  /// @param adopted the head of an existing branch that is adopted; empty for none
  /// @param time the time limit
  /// @throws TurnFailed if it cannot be cloned
  Optional<Clone> run(Work.Repository repository, GitRemote remote, String adopted, Duration time)
      throws TurnFailed, IOException, InterruptedException {
    bringPatch(repository);
    GitScripts.Answer answer =
        git.remote("clone.sh", arguments(repository, remote), Workspace.WRITE, Map.of(), time);
    if (answer.outcome().ending() == Ending.NOT_LIVE) {
      return Optional.empty();
    }
    require(answer, repository, remote);
    answer.values("note").forEach(notes);
    String base = answer.value("base");
    return Optional.of(new Clone(base, base.isEmpty() ? Map.of() : plansOfBase(), null, adopted));
  }

  /// Downloads the patch of the earlier turns, for a sandbox that was lost.
  private void bringPatch(Work.Repository repository) throws IOException {
    if (repository.patchUrl() == null) {
      return;
    }
    Path patch = folder.resolve("patch");
    try (InputStream content = new SignedLink(URI.create(repository.patchUrl())).download()) {
      Files.copy(content, patch);
    } catch (IOException lost) {
      Files.deleteIfExists(patch);
      notes.accept(
          "What the turns before had changed in %s could not be brought back."
              .formatted(repository.path()));
    }
  }

  private List<String> arguments(Work.Repository repository, GitRemote remote) {
    URI url = remote.url();
    return List.of(
        GitProxy.url(remote),
        repository.ref() == null ? "" : repository.ref(),
        repository.path(),
        String.valueOf(repository.depth()),
        repository.baseCommit() == null ? "" : repository.baseCommit(),
        author,
        String.valueOf(repository.submodules()),
        "%s://%s/".formatted(url.getScheme(), url.getRawAuthority()),
        git.proxy().loopbackUrl().orElse(GitProxy.sandboxUrl()) + "/" + repository.number() + "/");
  }

  private void require(GitScripts.Answer answer, Work.Repository repository, GitRemote remote)
      throws TurnFailed {
    if (answer.outcome().ending().isOfDisk()) {
      throw new TurnFailed(
          TurnErrorCode.LIMIT_EXCEEDED,
          "The repository %s is larger than what a session may have.".formatted(repository.url()));
    }
    if (answer.isFileTooLarge()) {
      throw new TurnFailed(TurnErrorCode.LIMIT_EXCEEDED, fileTooLarge(repository));
    }
    if (!answer.outcome().isDone()) {
      throw new TurnFailed(
          TurnErrorCode.REPOSITORY_UNAVAILABLE,
          "The repository %s could not be cloned: %s"
              .formatted(repository.url(), git.failure(answer, remote)));
    }
  }

  private String fileTooLarge(Work.Repository repository) {
    return "The repository %s could not be cloned: a file in a session may have %d MiB at most, and so may all that is fetched of a repository together. Ask for less of its history (depth), or for a ref without large files."
        .formatted(repository.url(), git.scripts().limits().file() >> 20);
  }

  /// The plans in the listed tree, whose entries are `MODE TYPE ID<tab>PATH`, each ended by a NUL
  /// byte.
  private Map<String, String> plansOfBase() throws IOException {
    Map<String, String> found = new LinkedHashMap<>();
    try (InputStream file = new UntrustedFolder(folder).read(Path.of("tree"));
        Scanner lines = new Scanner(file, StandardCharsets.UTF_8).useDelimiter("\0")) {
      while (lines.hasNext()) {
        String[] parts = lines.next().split("[ \t]", 4);
        if (parts.length == 4 && plans.match(Path.of(parts[3]))) {
          found.put(parts[3], parts[2]);
        }
      }
    }
    return found;
  }
}
