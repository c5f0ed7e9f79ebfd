package agentsessions.runner.network.connection;

import java.nio.file.Path;

/// A port forward out of a sandbox without a network: from a port of its loopback to the Unix
/// socket of a proxy of the runner.
public record PortForward(int port, Path socket) {}
