/// Usage of models, its cost, and its ceilings.
@NullMarked
package agentsessions.session.usage;

import org.jspecify.annotations.NullMarked;
