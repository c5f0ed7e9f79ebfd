package agentsessions.runner.repository;

import agentsessions.runner.capture.Digest;
import agentsessions.runner.capture.UntrustedFolder;
import agentsessions.runner.control.SignedLink;
import agentsessions.runner.sandbox.SessionFolder;
import agentsessions.wire.Work;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/// The change of a repository as its stored patch has it, which is what a person was shown: nothing
/// of the workspace is read for it.
///
/// Why: decision 059.
///
/// @param folder the turn's own folder, where the patch is written; no agent has run in it
/// @param turn the number of the turn in its session
record StoredPatch(SessionFolder session, Path folder, long turn) {

  /// @throws IOException if the patch cannot be had
  RepositoryChange run(Work.Repository repository) throws IOException {
    String tree = Objects.requireNonNullElse(repository.tree(), "");
    RepositoryChange change =
        RepositoryChange.of(
            repository,
            Objects.requireNonNullElse(repository.baseCommit(), ""),
            new RepositoryState.Seen(
                "",
                "",
                tree,
                0,
                0,
                0,
                Objects.requireNonNullElse(repository.patchSha256(), ""),
                1,
                true),
            new UntrustedFolder(folder),
            turn);
    if (tree.isEmpty() || repository.patchUrl() == null) {
      return change.failed(
          "PUSH_REFUSED",
          "The last patch was stored by an earlier version, and does not say what it gives. Send a message, and ask again.");
    }
    Path patch = folder.resolve(change.patch());
    try (InputStream content = new SignedLink(URI.create(repository.patchUrl())).download()) {
      Files.copy(content, patch);
    }
    session.user().own(patch);
    try (InputStream content = Files.newInputStream(patch)) {
      return Digest.of(content).equals(repository.patchSha256())
          ? change
          : change.failed("PUSH_REFUSED", "The stored patch is not the one that was shown.");
    }
  }
}
