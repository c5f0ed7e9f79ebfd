/// `kill -9` at any moment: no accepted message is lost, and the service recovers.
@NullMarked
package agentsessions.chaos.kills;

import org.jspecify.annotations.NullMarked;
