/// Where an agent runs: its folder, its process tree, what confines it, and its one way out to its
/// model. Sees `agent`. Never in here: the runner protocol.
@NullMarked
package agentsessions.runner.sandbox;

import org.jspecify.annotations.NullMarked;
