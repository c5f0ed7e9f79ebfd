package agentsessions.chaos.rig;

/// Everything by which a turn is found.
public record TurnIds(String workspace, String session, String thread) {}
