package agentsessions.chat.transcript;

import agentsessions.chat.api.Api;
import agentsessions.chat.api.ApiModel.Artifact;
import agentsessions.chat.api.ApiModel.Repository;
import agentsessions.chat.api.PendingRequest;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// The plan or the patches that a request is about: loads and prints them, and compares them with
/// what a decision will hold for.
final class RequestSubject {
  private final Api api;
  private final ArtifactDownloads artifacts;
  private final TranscriptPrinter transcript;

  RequestSubject(Api api, ArtifactDownloads artifacts, TranscriptPrinter transcript) {
    this.api = api;
    this.artifacts = artifacts;
    this.transcript = transcript;
  }

  /// Prints it. False unless all of it was printed, and is what is asked about.
  boolean show(PendingRequest asked) {
    String plan = asked.planArtifactId();
    if (plan != null) {
      return showPlan(api.artifact(asked.sessionId(), plan), asked.fingerprint());
    }
    return !asked.isPush() || showPatches(asked);
  }

  private boolean showPlan(Artifact plan, String sha256) {
    ArtifactDownloads.Beginning beginning = artifacts.text(plan, DiffPrinter.MOST);
    transcript.plan(beginning.text());
    return beginning.isWhole() && sha256.equals(plan.sha256());
  }

  private boolean showPatches(PendingRequest asked) {
    List<Repository> repositories =
        Objects.requireNonNullElse(api.work(asked.sessionId()).repositories(), List.of());
    boolean isShown = true;
    for (JsonNode push : Objects.requireNonNull(asked.tool()).input().path("repositories")) {
      isShown &= showPatch(asked.sessionId(), push, repositories);
    }
    return isShown;
  }

  private boolean showPatch(String sessionId, JsonNode push, List<Repository> repositories) {
    String path = push.path("path").asText();
    Optional<Artifact> patch =
        repositories.stream()
            .filter(each -> each.path().equals(path))
            .map(Repository::patchArtifactId)
            .filter(Objects::nonNull)
            .findFirst()
            .map(id -> api.artifact(sessionId, id));
    if (patch.isEmpty()) {
      transcript.note(path + ": its patch is not kept any more.");
      return false;
    }
    return new DiffPrinter(api, artifacts, transcript).show(path, patch.get())
        && push.path("patch_sha256").asText().equals(patch.get().sha256());
  }
}
