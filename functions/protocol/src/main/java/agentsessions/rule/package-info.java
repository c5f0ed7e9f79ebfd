/// The rules by which service and runner must come to the same result, each in its own process:
/// prices, patterns with stars, ceilings, public network addresses, the encoded size of a text,
/// inodes of a disk, an agent's questions. Sees `java.*` and annotations. Never in here: anything
/// that only one of the two needs, a secret, a decision about a turn.
@NullMarked
package agentsessions.rule;

import org.jspecify.annotations.NullMarked;
