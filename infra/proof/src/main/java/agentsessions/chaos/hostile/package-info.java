/// Resource exhaustion by hostile sessions, keys and outsiders: other clients must not be affected.
@NullMarked
package agentsessions.chaos.hostile;

import org.jspecify.annotations.NullMarked;
