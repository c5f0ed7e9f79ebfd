/// The one client of the API that all rooms of the proof use, with its sessions and turns, and the
/// one way of waiting. Knows a base URL and a key; nothing of the service's own classes may be in
/// here.
@NullMarked
package agentsessions.talk;

import org.jspecify.annotations.NullMarked;
