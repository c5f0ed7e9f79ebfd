/// The building of a session's zip: its history, files and manifest.
@NullMarked
package agentsessions.jobs.export;

import org.jspecify.annotations.NullMarked;
