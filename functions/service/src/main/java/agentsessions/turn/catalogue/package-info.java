/// The agents on offer: the catalogue, engines, prices of models. Configuration, read once.
@NullMarked
package agentsessions.turn.catalogue;

import org.jspecify.annotations.NullMarked;
