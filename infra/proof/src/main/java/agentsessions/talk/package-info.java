/// The one client of the API that all rooms of the proof talk by, what a session and a turn are in
/// its hands, and the one way in which the proof waits. Knows a base URL and a key; nothing of the
/// service's own classes may be in here.
@NullMarked
package agentsessions.talk;

import org.jspecify.annotations.NullMarked;
