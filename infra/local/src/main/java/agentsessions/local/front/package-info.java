/// The HTTP front: the stand-in of API Gateway, before the same handlers.
///
/// HTTP requests become proxy events of a REST API, and the functions' responses become HTTP again;
/// before that come the authorizer with its cache and the usage plan. Of the other rooms it sees
/// `aws`, `wire` and `machine`. No route and no rule of the service may be written here: the public
/// paths and the texts of refusals are read from `template.yaml`.
@NullMarked
package agentsessions.local.front;

import org.jspecify.annotations.NullMarked;
