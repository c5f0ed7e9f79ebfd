/// Tests of the step engine: the deployed file, and what the engine refuses.
@NullMarked
package agentsessions.local.steps;

import org.jspecify.annotations.NullMarked;
