package agentsessions.runner.sandbox;

/// The paths of a session's folders as its agent sees them.
public record AgentFolders(String workspace, String home, String io) {}
