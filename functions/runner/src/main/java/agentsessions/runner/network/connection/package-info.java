/// The common parts of all proxies: a listener behind the sandbox's socket, and a client that
/// connects only to allowed addresses.
@NullMarked
package agentsessions.runner.network.connection;

import org.jspecify.annotations.NullMarked;
