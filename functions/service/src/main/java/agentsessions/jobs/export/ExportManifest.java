package agentsessions.jobs.export;

import agentsessions.session.Artifact;
import agentsessions.session.Message;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.serde.annotation.Serdeable;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The manifest of an export: each file in it, and those for which it had no room.
@Serdeable
record ExportManifest(
    String exportId,
    String sessionId,
    String sessionUpdatedAt,
    String madeAt,
    List<Entry> files,
    List<Entry> leftOut) {

  /// One file. `kind` is `history`, `plan`, `file` or `patch`; `path` is where it is in the zip,
  /// and absent for an artifact that was left out; `fromTs`: messages with this `ts` and later are
  /// left out.
  @Serdeable
  record Entry(
      String kind,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String path,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Long bytes,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String sha256,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String artifactId,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String threadId,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String filePath,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String mimeType,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable BigDecimal fromTs) {
    private static final String HISTORY = "history";

    static Entry ofHistory(String path, ExportZip.Added added) {
      return new Entry(HISTORY, path, added.bytes(), added.sha256(), null, null, null, null, null);
    }

    static Entry after(String path, Message first) {
      BigDecimal from = first.stamp().epochSeconds();
      return new Entry(HISTORY, path, null, null, null, null, null, null, from);
    }

    static Entry of(Artifact artifact, String path, ExportZip.Added added) {
      return of(artifact, path, added.bytes(), added.sha256());
    }

    static Entry without(Artifact artifact) {
      return of(artifact, null, artifact.bytes(), artifact.sha256());
    }

    private static Entry of(Artifact artifact, @Nullable String path, long bytes, String sha256) {
      return new Entry(
          artifact.isPatch() ? "patch" : artifact.kind(),
          path,
          bytes,
          sha256,
          artifact.id().toString(),
          artifact.turnId().toString(),
          artifact.path(),
          artifact.mimeType(),
          null);
    }
  }
}
