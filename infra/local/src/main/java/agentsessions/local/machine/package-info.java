/// This machine: its folders, disk, ports and installation, and the failures of a start. Sees no
/// other room.
@NullMarked
package agentsessions.local.machine;

import org.jspecify.annotations.NullMarked;
