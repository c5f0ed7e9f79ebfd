/// The repositories of a session: requests, URLs, refs, and their state after each turn.
@NullMarked
package agentsessions.session.repository;

import org.jspecify.annotations.NullMarked;
