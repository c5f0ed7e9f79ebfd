/// Sessions, their turns, and what they work on.
@NullMarked
package agentsessions.contract.session;

import org.jspecify.annotations.NullMarked;
