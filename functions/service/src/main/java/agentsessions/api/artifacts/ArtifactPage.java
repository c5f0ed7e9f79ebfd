package agentsessions.api.artifacts;

import agentsessions.api.request.CommonJson;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;

/// One page of a session's artifacts.
@Serdeable
record ArtifactPage(List<ArtifactBody> items, @JsonProperty("_links") CommonJson.PageLinks links) {}
