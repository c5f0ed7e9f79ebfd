/// What operations and turns cost: the calls of AWS, counted, by the list prices.
@NullMarked
package agentsessions.chaos.price;

import org.jspecify.annotations.NullMarked;
