package agentsessions.session;

import java.time.Duration;
import java.util.Map;

/// An entry of the catalogue `infra/agents.yaml`. `entry` is what the runner gets, untouched; the
/// service itself reads only the name, the description and the time limit.
public record Agent(
    String name, String description, Duration timeLimit, Map<String, Object> entry) {}
