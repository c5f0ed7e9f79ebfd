/// Checks that need a deployed stack and cannot be made by a client of its API alone: that lost
/// turns are swept up, keys rotated, and a key held to its plan. Run by `scripts/test-localstack`,
/// which sets the address of the stack; needs AWS's own settings in the environment, and may read
/// and break resources of the operator. Never in here: the service's own classes.
@NullMarked
package agentsessions.stack;

import org.jspecify.annotations.NullMarked;
