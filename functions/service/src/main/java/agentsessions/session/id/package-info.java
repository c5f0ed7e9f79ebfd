/// Ids and keys, and the small values in them: stamps, hashes.
@NullMarked
package agentsessions.session.id;

import org.jspecify.annotations.NullMarked;
