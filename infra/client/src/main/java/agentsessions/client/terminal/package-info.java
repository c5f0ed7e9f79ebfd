/// The interactive terminal: the input line and the slash commands.
@NullMarked
package agentsessions.client.terminal;

import org.jspecify.annotations.NullMarked;
