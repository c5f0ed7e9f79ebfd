/// Many requests at once about one thing, and long histories: one wins, and nothing is lost,
/// doubled or turned round.
@NullMarked
package agentsessions.chaos.races;

import org.jspecify.annotations.NullMarked;
