/// An agent's way out: a proxy to its one model, which bounds what may be asked and how much, and
/// sees what is answered. Sees `agent`. Never in here: how an agent is confined.
@NullMarked
package agentsessions.runner.network;

import org.jspecify.annotations.NullMarked;
