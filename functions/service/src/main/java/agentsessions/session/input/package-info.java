/// The inputs of a session: files, variables, secrets.
@NullMarked
package agentsessions.session.input;

import org.jspecify.annotations.NullMarked;
