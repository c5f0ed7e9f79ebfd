/// Requests as nobody should send them: each is refused in the one shape of errors, and none is a
/// 5xx.
@NullMarked
package agentsessions.chaos.fuzz;

import org.jspecify.annotations.NullMarked;
