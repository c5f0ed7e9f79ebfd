/// `kill -9` at any moment: nothing that was accepted is lost, and the service serves again.
@NullMarked
package agentsessions.chaos.kills;

import org.jspecify.annotations.NullMarked;
