/// An agent's ways out: a proxy to its one model, which bounds what may be asked and how much and
/// sees what is answered; a proxy to the hosts of its repositories, which holds their credentials;
/// and which addresses may be reached at all. Sees `usage` and `agent`. Never in here: how an agent
/// is confined.
@NullMarked
package agentsessions.runner.network;

import org.jspecify.annotations.NullMarked;
