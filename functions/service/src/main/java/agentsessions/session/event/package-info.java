/// What happens in a session, and its place among all that does.
@NullMarked
package agentsessions.session.event;

import org.jspecify.annotations.NullMarked;
