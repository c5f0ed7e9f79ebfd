/// What turns use of models, what it costs, what they may use.
@NullMarked
package agentsessions.session.usage;

import org.jspecify.annotations.NullMarked;
