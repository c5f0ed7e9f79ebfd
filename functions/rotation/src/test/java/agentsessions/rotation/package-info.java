/// The rotation against stand-ins on the wire, with a clock of the test's own.
@NullMarked
package agentsessions.rotation;

import org.jspecify.annotations.NullMarked;
