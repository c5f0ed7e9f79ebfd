/// What service and runner must reckon alike, each in its own process: prices and ceilings, which
/// addresses of the network are everybody's, how long a text is on its way, when a disk is full.
/// Sees only `java.*`. Never in here: what only one of them needs, a secret, a decision about a
/// turn.
@NullMarked
package agentsessions.rule;

import org.jspecify.annotations.NullMarked;
