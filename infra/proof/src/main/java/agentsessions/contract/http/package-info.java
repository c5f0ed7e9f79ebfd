/// Rules of every answer: errors, limits, links, and HTTP's own.
@NullMarked
package agentsessions.contract.http;

import org.jspecify.annotations.NullMarked;
