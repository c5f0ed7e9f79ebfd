package agentsessions.api.workspace;

import io.micronaut.serde.annotation.Serdeable;
import java.util.List;

/// All webhooks of a workspace.
@Serdeable
record WebhookPage(List<WebhookBody> items) {}
