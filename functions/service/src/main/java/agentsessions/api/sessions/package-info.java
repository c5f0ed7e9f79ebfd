/// Sessions and threads, created, changed and shown, and the endpoints about the service itself.
@NullMarked
package agentsessions.api.sessions;

import org.jspecify.annotations.NullMarked;
