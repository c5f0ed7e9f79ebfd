/// The child processes and containers: their start, supervision and restart, and the Lambda Runtime
/// API that feeds the runner. Sees `machine`, `steps` and `wire`.
@NullMarked
package agentsessions.local.process;

import org.jspecify.annotations.NullMarked;
