/// A request and its answer, whatever they are about: the call and its key, fields of bodies and
/// queries, scopes, links, pages, errors, HTTP's headers, the console's files.
@NullMarked
package agentsessions.api.request;

import org.jspecify.annotations.NullMarked;
