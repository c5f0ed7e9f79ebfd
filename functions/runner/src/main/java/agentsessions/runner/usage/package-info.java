/// The usage of a turn's model calls, read from the model's own responses as they pass: which
/// tokens, of which model, and whether each response stated its usage to the end. Sees `agent`.
/// Never in here: how a call is sent.
@NullMarked
package agentsessions.runner.usage;

import org.jspecify.annotations.NullMarked;
