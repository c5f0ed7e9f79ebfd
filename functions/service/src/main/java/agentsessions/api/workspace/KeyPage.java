package agentsessions.api.workspace;

import io.micronaut.serde.annotation.Serdeable;
import java.util.List;

/// All keys of a workspace.
@Serdeable
record KeyPage(List<KeyBody> items) {}
