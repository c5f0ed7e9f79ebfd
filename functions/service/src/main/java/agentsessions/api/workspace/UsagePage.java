package agentsessions.api.workspace;

import io.micronaut.serde.annotation.Serdeable;
import java.util.List;

/// The usage of a workspace, one row for each group.
@Serdeable
record UsagePage(List<UsageRow> items) {}
