package agentsessions.api.artifacts;

import agentsessions.api.request.CommonJson;
import agentsessions.session.Export;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// An export as the API shows it, with a download link when it is ready.
@Serdeable
record ExportBody(
    String id,
    String status,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String url,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String expiresAt) {
  private static final String WORKING = "working";

  static ExportBody working(Export export) {
    return new ExportBody(export.id().toString(), WORKING, null, null);
  }

  static ExportBody failed(Export export) {
    return new ExportBody(export.id().toString(), "failed", null, null);
  }

  static ExportBody ready(Export export, String url, Instant expires) {
    return new ExportBody(export.id().toString(), "ready", url, CommonJson.time(expires));
  }

  @JsonIgnore
  boolean isWorking() {
    return status.equals(WORKING);
  }
}
