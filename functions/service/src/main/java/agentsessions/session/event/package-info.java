/// The events of a session and their positions.
@NullMarked
package agentsessions.session.event;

import org.jspecify.annotations.NullMarked;
