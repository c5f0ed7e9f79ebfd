package agentsessions.chat.transcript;

import agentsessions.chat.api.Api;
import agentsessions.chat.api.ApiModel.Artifact;
import agentsessions.chat.api.ApiModel.Repository;
import agentsessions.chat.api.ApiModel.Work;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/// The command `/diff`: prints the changes in a session's repositories as git patches.
public final class DiffPrinter {
  /// The longest part of a patch that is shown, in bytes.
  static final int MOST = 512 * 1024;

  /// No line of a hunk begins so: those have a sign before them.
  private static final Pattern BINARY = Pattern.compile("(?m)(?<=\n|^)GIT binary patch$");

  private final Api api;
  private final ArtifactDownloads artifacts;
  private final TranscriptPrinter transcript;

  public DiffPrinter(Api api, ArtifactDownloads artifacts, TranscriptPrinter transcript) {
    this.api = api;
    this.artifacts = artifacts;
    this.transcript = transcript;
  }

  public void show(String sessionId) {
    Work work = api.work(sessionId);
    List<Repository> repositories = Objects.requireNonNullElse(work.repositories(), List.of());
    if (repositories.isEmpty()) {
      transcript.note("This session has no repository: begin one with --repository URL.");
    }
    repositories.forEach(each -> show(sessionId, each));
  }

  private void show(String sessionId, Repository repository) {
    String id = repository.patchArtifactId();
    if (id == null) {
      String why =
          repository.error() == null ? "no changes yet" : RepositoryChanges.error(repository);
      transcript.note(repository.path() + ": there is no patch, " + why);
    } else {
      boolean _ = show(repository.path(), api.artifact(sessionId, id));
    }
  }

  /// Prints a patch. False if there is more of it, or parts that are no text.
  boolean show(String path, Artifact patch) {
    ArtifactDownloads.Beginning beginning = artifacts.text(patch, MOST);
    transcript.note(path + ", which /file " + patch.id() + " downloads:");
    transcript.patch(beginning.text());
    if (!beginning.isWhole()) {
      transcript.note("Not all of the patch is shown: /file " + patch.id() + " downloads it.");
    }
    return beginning.isWhole() && !BINARY.matcher(beginning.text()).find();
  }
}
