package agentsessions.runner.network.way;

import java.nio.file.Path;

/// A way out of a sandbox that has no network: a port of the sandbox's loopback, and the Unix
/// socket of ours that it leads to.
public record Way(int port, Path socket) {}
