/// What holds of every answer, whatever is asked: errors, limits, links, and the manners of HTTP.
@NullMarked
package agentsessions.contract.http;

import org.jspecify.annotations.NullMarked;
