/// What was said and made in a session, read as it comes and printed for people.
@NullMarked
package agentsessions.client.transcript;

import org.jspecify.annotations.NullMarked;
