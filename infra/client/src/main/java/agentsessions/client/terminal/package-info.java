/// The conversation where somebody types: the line, and the commands beside messages.
@NullMarked
package agentsessions.client.terminal;

import org.jspecify.annotations.NullMarked;
