package agentsessions.api.workspace;

import agentsessions.api.request.CommonJson;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;

/// One page of a webhook's deliveries, the newest first.
@Serdeable
record DeliveryPage(List<DeliveryBody> items, @JsonProperty("_links") CommonJson.PageLinks links) {}
