/// The data folder of a released version: this one still reads it.
@NullMarked
package agentsessions.chaos.kept;

import org.jspecify.annotations.NullMarked;
