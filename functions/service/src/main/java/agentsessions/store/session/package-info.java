/// Sessions, their lists, their turns with the tokens of their tasks, and the inputs that stay for
/// the next turn.
@NullMarked
package agentsessions.store.session;

import org.jspecify.annotations.NullMarked;
