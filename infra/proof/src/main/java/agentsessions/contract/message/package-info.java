/// The messages and artifacts of a session: history, pages, polling, plans and files.
@NullMarked
package agentsessions.contract.message;

import org.jspecify.annotations.NullMarked;
