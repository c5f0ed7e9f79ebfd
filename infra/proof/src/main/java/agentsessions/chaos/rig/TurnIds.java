package agentsessions.chaos.rig;

/// The ids of a turn: its workspace, session and thread.
public record TurnIds(String workspace, String session, String thread) {}
