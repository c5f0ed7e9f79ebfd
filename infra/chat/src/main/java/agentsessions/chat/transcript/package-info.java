/// The transcript and artifacts of a session, read as they arrive and printed for people.
@NullMarked
package agentsessions.chat.transcript;

import org.jspecify.annotations.NullMarked;
