/// Where an agent runs: its folder, its process tree, what confines it, and how it comes to its one
/// way out. Sees `network` and `agent`. Never in here: the runner protocol.
@NullMarked
package agentsessions.runner.sandbox;

import org.jspecify.annotations.NullMarked;
