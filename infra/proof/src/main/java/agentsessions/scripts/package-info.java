/// Tests of what the project's scripts share, run by bash among stand-ins for the machine's
/// commands.
@NullMarked
package agentsessions.scripts;

import org.jspecify.annotations.NullMarked;
