/// Sessions and threads: what starts and changes them, how they are shown, what the service says of
/// itself.
@NullMarked
package agentsessions.api.sessions;

import org.jspecify.annotations.NullMarked;
