/// Real agents in the real sandbox, through the service's API. The agents' model is a scripted
/// stand-in on loopback, so nothing here costs money or leaves the machine. Nothing of the
/// service's inside may be used here but what starts it.
@NullMarked
package agentsessions.agents;

import org.jspecify.annotations.NullMarked;
