package agentsessions.api.workspace;

import io.micronaut.serde.annotation.Serdeable;
import java.util.List;

/// What was used, group by group.
@Serdeable
record UsagePage(List<UsageRow> items) {}
