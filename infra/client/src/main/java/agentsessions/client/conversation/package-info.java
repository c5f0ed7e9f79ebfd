/// One session that is talked to, and the agent it begins with.
@NullMarked
package agentsessions.client.conversation;

import org.jspecify.annotations.NullMarked;
