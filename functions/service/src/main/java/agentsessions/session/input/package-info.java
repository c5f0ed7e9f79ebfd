/// What a session is given to work with: files, variables, secrets.
@NullMarked
package agentsessions.session.input;

import org.jspecify.annotations.NullMarked;
