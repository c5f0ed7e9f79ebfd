/// The common parts of all proxies: a listener behind the sandbox's socket or on loopback, with its
/// secret and its error responses, and a client that connects only to allowed addresses.
@NullMarked
package agentsessions.runner.network.connection;

import org.jspecify.annotations.NullMarked;
