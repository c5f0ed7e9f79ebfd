/// The history of a session or thread, by filter and by page.
@NullMarked
package agentsessions.api.messages;

import org.jspecify.annotations.NullMarked;
