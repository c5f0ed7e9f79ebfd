package agentsessions.api.workspace;

import agentsessions.api.request.Wire;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;

/// Some deliveries of a webhook, the newest first.
@Serdeable
record DeliveryPage(List<DeliveryBody> items, @JsonProperty("_links") Wire.PageLinks links) {}
