/// Names of things, and the small values that are parts of names: ids, keys, stamps, sums.
@NullMarked
package agentsessions.session.id;

import org.jspecify.annotations.NullMarked;
