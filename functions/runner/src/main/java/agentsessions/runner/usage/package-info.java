/// What a turn's calls to its model use, read from the model's own answers while they pass: which
/// tokens, of which model, and whether each answer said so to its end. Sees `agent`. Never in here:
/// how a call comes and goes.
@NullMarked
package agentsessions.runner.usage;

import org.jspecify.annotations.NullMarked;
