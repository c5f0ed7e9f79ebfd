package agentsessions.runner.sandbox;

/// The folders of a session as its agent sees them.
public record AgentFolders(String workspace, String home, String io) {}
