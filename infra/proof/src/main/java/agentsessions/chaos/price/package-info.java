/// The price of operations and turns: counted calls of AWS by list prices.
@NullMarked
package agentsessions.chaos.price;

import org.jspecify.annotations.NullMarked;
