/// The terminal client: one command that talks to a session through the public API.
///
/// It knows the contract (`infra/openapi.yaml`) and the terminal. It must never see anything else
/// of the project, so that what it can do any client can do.
@NullMarked
package agentsessions.chat;

import org.jspecify.annotations.NullMarked;
