/// The HTTP front: what API Gateway does on AWS, in front of the same handlers.
///
/// HTTP becomes proxy events of a REST API and their answers become HTTP again; before that come
/// the authorizer with its cache and the usage plan. It sees the JDK, Jackson, `wire`, `machine`
/// and the Lambda handler interface; no route and no rule of the service may be written here: which
/// paths are open, and what is refused in which words, is read from `template.yaml`.
@NullMarked
package agentsessions.local.front;

import org.jspecify.annotations.NullMarked;
