/// A mark for the processes of a test, shared by the tests of several modules.
@NullMarked
package agentsessions.mark;

import org.jspecify.annotations.NullMarked;
