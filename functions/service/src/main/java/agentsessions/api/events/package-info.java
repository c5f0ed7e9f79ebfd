/// What happens in a session, as it happens: an event stream, or the same as JSON.
@NullMarked
package agentsessions.api.events;

import org.jspecify.annotations.NullMarked;
