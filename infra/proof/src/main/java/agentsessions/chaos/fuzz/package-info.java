/// The fuzz test: each malformed request is refused in the one shape of errors, and none is
/// answered with 5xx.
@NullMarked
package agentsessions.chaos.fuzz;

import org.jspecify.annotations.NullMarked;
