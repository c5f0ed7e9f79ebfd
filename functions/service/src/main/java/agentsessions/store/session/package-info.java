/// Sessions, their lists, their turns, and the work that stands for the next turn.
@NullMarked
package agentsessions.store.session;

import org.jspecify.annotations.NullMarked;
