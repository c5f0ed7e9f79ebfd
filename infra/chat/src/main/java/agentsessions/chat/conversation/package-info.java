/// The conversation with one session, and the choice of its agent.
@NullMarked
package agentsessions.chat.conversation;

import org.jspecify.annotations.NullMarked;
