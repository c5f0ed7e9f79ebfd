/// What was said and made in a session: its messages, their pages, plans and files.
@NullMarked
package agentsessions.contract.message;

import org.jspecify.annotations.NullMarked;
