/// HTTP servers on loopback that nobody can use up: bounded heads, bounded connections, and those
/// go first who have shown no key.
///
/// It sees Jetty and nothing of the product.
@NullMarked
package agentsessions.local.wire;

import org.jspecify.annotations.NullMarked;
