/// Repositories: which a session works on, what of them a turn changed.
@NullMarked
package agentsessions.session.repository;

import org.jspecify.annotations.NullMarked;
