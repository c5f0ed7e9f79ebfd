/// The interactive terminal: the input line and the slash commands.
@NullMarked
package agentsessions.chat.terminal;

import org.jspecify.annotations.NullMarked;
