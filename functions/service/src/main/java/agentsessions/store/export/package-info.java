/// Exports of sessions: which are there, which are being built.
@NullMarked
package agentsessions.store.export;

import org.jspecify.annotations.NullMarked;
