/// The events of a session as they happen: an event stream, or the same as JSON.
@NullMarked
package agentsessions.api.events;

import org.jspecify.annotations.NullMarked;
