/// Sessions, keys and strangers that want more than there is: nobody else notices.
@NullMarked
package agentsessions.chaos.hostile;

import org.jspecify.annotations.NullMarked;
