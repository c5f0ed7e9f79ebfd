/// Builds the zip of a session: its history, files and manifest.
@NullMarked
package agentsessions.jobs.export;

import org.jspecify.annotations.NullMarked;
