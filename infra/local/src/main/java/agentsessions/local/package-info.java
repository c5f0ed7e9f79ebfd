/// AWS on one machine: starts the service's real Lambda handlers and stand-ins for everything
/// around them.
///
/// It may see every other module's entry points, and it replaces AWS at the wire only. Nothing here
/// is ever deployed, and no other module may know of it. What the service decides must never be
/// decided here: this room only connects.
///
/// Why: decision 021.
@NullMarked
package agentsessions.local;

import org.jspecify.annotations.NullMarked;
