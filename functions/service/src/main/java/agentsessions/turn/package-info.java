/// How a turn changes: every transition of a session and a turn with the conditions of its writes,
/// and what Step Functions and the schedule run (begin, fail, sweep). Sees `aws` and `session`.
/// Never in here: the SDK, HTTP, JSON.
@NullMarked
package agentsessions.turn;

import org.jspecify.annotations.NullMarked;
