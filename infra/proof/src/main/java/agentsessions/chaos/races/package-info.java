/// Concurrency: many requests at once on one session, and long histories. One request wins, and no
/// message is lost, doubled or out of order.
@NullMarked
package agentsessions.chaos.races;

import org.jspecify.annotations.NullMarked;
