/// The sandbox of an agent: its folder, its processes, its confinement, and the bridge to its
/// proxies. Sees `network` and `agent`. Never in here: the runner protocol.
@NullMarked
package agentsessions.runner.sandbox;

import org.jspecify.annotations.NullMarked;
