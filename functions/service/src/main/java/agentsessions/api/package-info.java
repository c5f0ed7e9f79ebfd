/// What a client sees: routes, JSON, errors, links, filters, the check of the key. Sees `turn`,
/// `aws` and `session`. Never in here: the SDK, conditions of writes, anything that outlives a
/// request.
@org.jspecify.annotations.NullMarked
package agentsessions.api;
