/// Packaged coding agents in the real sandbox, through the service's API. Their model is a scripted
/// stand-in on loopback, so nothing here costs money or leaves the machine. Of the service's own
/// classes only those that start it may be used here.
@NullMarked
package agentsessions.agents;

import org.jspecify.annotations.NullMarked;
