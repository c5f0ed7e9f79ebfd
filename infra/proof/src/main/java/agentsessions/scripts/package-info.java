/// Tests of the project's scripts, run by bash among stubs of the machine's commands; and of the
/// documents, which show these scripts.
@NullMarked
package agentsessions.scripts;

import org.jspecify.annotations.NullMarked;
