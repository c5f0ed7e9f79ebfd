/// The stand-ins and helpers that the tests of several modules share. Never deployed.
@NullMarked
package agentsessions.testing;

import org.jspecify.annotations.NullMarked;
