package agentsessions.api.sessions;

import agentsessions.api.request.CommonJson;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;

/// One page of a workspace's sessions.
@Serdeable
record SessionPage(List<SessionRow> items, @JsonProperty("_links") CommonJson.PageLinks links) {}
