/// The client side of the API: requests, their inputs, and responses. Nothing here knows a
/// terminal.
@NullMarked
package agentsessions.client.api;

import org.jspecify.annotations.NullMarked;
