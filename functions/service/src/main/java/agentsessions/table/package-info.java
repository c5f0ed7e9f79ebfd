/// The one table: its layout, attributes, changes, reads and repeats. Alone in importing DynamoDB's
/// SDK, with `table/item`, `store` where an attribute is of no item's schema, and `aws` for
/// clients. Sees `session`. Decides nothing. Never in here: a condition, HTTP.
@NullMarked
package agentsessions.table;

import org.jspecify.annotations.NullMarked;
