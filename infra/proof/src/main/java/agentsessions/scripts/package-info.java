/// Tests of what the project's scripts share, run by bash among stand-ins for the machine's
/// commands; and of the documents, which show these scripts.
@NullMarked
package agentsessions.scripts;

import org.jspecify.annotations.NullMarked;
