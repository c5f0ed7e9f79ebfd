/// The API as clients see it: routes, JSON, errors, links, filters, the check of the key. Its
/// shelves, each of which sees those to its right: `events ▸ messages ▸ sessions ▸ artifacts |
/// workspace | decisions ▸ request`. Sees `turn` and every room to its right. Never in here: the
/// SDK, conditions of writes, anything that outlives a request.
@NullMarked
package agentsessions.api;

import org.jspecify.annotations.NullMarked;
