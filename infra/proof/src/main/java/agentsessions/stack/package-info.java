/// What only a deployed stack can show, and no client of its API alone: that lost turns are swept
/// up, keys rotated, and a key held to its plan. Run by `scripts/test-localstack`, which says where
/// the stack is; needs AWS's own settings in the environment, and may look at and break what
/// belongs to the operator. Never in here: the service's own classes.
@NullMarked
package agentsessions.stack;

import org.jspecify.annotations.NullMarked;
