/// The API as this client uses it: requests, what goes along with them, and what comes back.
/// Nothing here knows a terminal.
@NullMarked
package agentsessions.client.api;

import org.jspecify.annotations.NullMarked;
