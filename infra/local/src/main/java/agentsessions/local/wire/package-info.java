/// HTTP servers with limits that keep a single client from exhausting them: bounded heads, bounded
/// connections, and of all clients those without a key are disconnected first, but for a fifth of
/// the places.
///
/// It sees Jetty and nothing of the product.
@NullMarked
package agentsessions.local.wire;

import org.jspecify.annotations.NullMarked;
