/// This machine: its folders, ports and installation, and what is said when they will not do. Sees
/// no other room.
@NullMarked
package agentsessions.local.machine;

import org.jspecify.annotations.NullMarked;
