package agentsessions.runner.repository;

import agentsessions.runner.capture.UntrustedFolder;
import agentsessions.wire.RepositoryReport;
import agentsessions.wire.RepositoryReport.Fault;
import agentsessions.wire.RepositoryReport.Pushed;
import agentsessions.wire.TurnResult.Artifact;
import agentsessions.wire.Work;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The change of one repository by a turn, and the outcome of its push.
///
/// @param base the commit that the patch is against; empty if there was none
/// @param patches the turn's own folder, with the patches
/// @param artifactPath the path that the patch is recorded with
public record RepositoryChange(
    Work.Repository repository,
    String base,
    RepositoryState state,
    UntrustedFolder patches,
    String artifactPath,
    Optional<Pushed> pushed,
    Optional<String> pullRequest,
    Optional<Fault> fault) {
  /// The folder in the recorded paths of patches; it does not exist.
  public static final String PATCHES = "/home/agent/patches/";

  static RepositoryChange of(
      Work.Repository repository,
      String base,
      RepositoryState state,
      UntrustedFolder patches,
      long turn) {
    return new RepositoryChange(
        repository,
        base,
        state,
        patches,
        PATCHES + "%s-%d.diff".formatted(repository.path(), turn),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  RepositoryChange pushed(Pushed to) {
    return new RepositoryChange(
        repository, base, state, patches, artifactPath, Optional.of(to), pullRequest, fault);
  }

  RepositoryChange requested(String url) {
    return new RepositoryChange(
        repository, base, state, patches, artifactPath, pushed, Optional.of(url), fault);
  }

  RepositoryChange failed(String code, String message) {
    return new RepositoryChange(
        repository,
        base,
        state,
        patches,
        artifactPath,
        pushed,
        pullRequest,
        Optional.of(new Fault(code, message)));
  }

  /// The reason why an inspection, push or pull request failed, as a sentence for the transcript.
  public Optional<String> problem() {
    Optional<Fault> problem =
        state instanceof RepositoryState.Failed(Fault why) ? Optional.of(why) : fault;
    return problem.map(
        why -> "%s in %s: %s".formatted(why.code(), repository.path(), why.message()));
  }

  /// The patch's file in the turn's own folder.
  public Path patch() {
    return Path.of("patch-" + repository.number());
  }

  /// Whether there is a patch that differs from the last turn's.
  public boolean isNew() {
    return state instanceof RepositoryState.Seen seen
        && seen.isChanged()
        && !seen.sha256().equals(repository.patchSha256());
  }

  /// The same, refused unless it is the last turn's patch that would be pushed.
  public RepositoryChange onlyLast() {
    boolean isLast =
        !(state instanceof RepositoryState.Seen seen)
            || (seen.isChanged() && seen.sha256().equals(repository.patchSha256()));
    return isLast
        ? this
        : failed(
            "PUSH_REFUSED",
            "The sandbox has other changes than the last patch. The next turn's patch will have them.");
  }

  /// The repository's part of the turn's result.
  ///
  /// @param artifacts the uploaded artifacts, among them the patch if it is new and was stored
  public RepositoryReport report(List<Artifact> artifacts) {
    return switch (state) {
      case RepositoryState.Failed(Fault why) ->
          new RepositoryReport(
              repository.number(),
              orNull(base),
              null,
              null,
              0,
              0,
              0,
              null,
              null,
              null,
              null,
              null,
              why);
      case RepositoryState.Seen seen -> report(seen, key(artifacts));
    };
  }

  private RepositoryReport report(RepositoryState.Seen seen, Optional<String> key) {
    return new RepositoryReport(
        repository.number(),
        orNull(base),
        orNull(seen.head()),
        orNull(seen.branch()),
        seen.files(),
        seen.additions(),
        seen.deletions(),
        key.orElse(null),
        sha256(seen, key),
        tree(seen, key),
        pushed.orElse(null),
        pullRequest.orElse(null),
        fault.orElse(null));
  }

  /// The checksum of the stored patch. If the new patch could not be stored, the last one still
  /// holds.
  private @Nullable String sha256(RepositoryState.Seen seen, Optional<String> key) {
    if (!seen.isChanged()) {
      return null;
    }
    return isNew() && key.isEmpty() ? repository.patchSha256() : seen.sha256();
  }

  /// The tree of the patch that is stored.
  private @Nullable String tree(RepositoryState.Seen seen, Optional<String> key) {
    if (!seen.isChanged()) {
      return null;
    }
    return isNew() && key.isEmpty() ? repository.tree() : seen.tree();
  }

  private Optional<String> key(List<Artifact> artifacts) {
    return artifacts.stream()
        .filter(artifact -> artifactPath.equals(artifact.path()))
        .flatMap(artifact -> Stream.ofNullable(artifact.key()))
        .findFirst();
  }

  private static @Nullable String orNull(String text) {
    return text.isEmpty() ? null : text;
  }
}
