/// This machine: its folders, disk, ports, commands and installation, and the failures of a start.
/// Sees no other room.
@NullMarked
package agentsessions.local.machine;

import org.jspecify.annotations.NullMarked;
