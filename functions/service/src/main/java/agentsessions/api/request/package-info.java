/// Requests and responses of every kind: the call and its key, fields of bodies and queries,
/// scopes, links, pages, errors, HTTP headers, the console's files.
@NullMarked
package agentsessions.api.request;

import org.jspecify.annotations.NullMarked;
