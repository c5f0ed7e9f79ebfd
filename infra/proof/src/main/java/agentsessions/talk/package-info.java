/// A small client of the API for tests that are about something else, and the one way in which the
/// proof waits. Knows a base URL and a key; nothing of the service's own classes may be in here.
@NullMarked
package agentsessions.talk;

import org.jspecify.annotations.NullMarked;
