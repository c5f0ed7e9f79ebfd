/// The client side of the API: requests, their inputs, and responses. Nothing here knows a
/// terminal.
@NullMarked
package agentsessions.chat.api;

import org.jspecify.annotations.NullMarked;
