/// What an agent waits for a person to decide: requests, decisions and grants.
@NullMarked
package agentsessions.session.request;

import org.jspecify.annotations.NullMarked;
