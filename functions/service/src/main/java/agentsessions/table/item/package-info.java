/// The items of the table: which attributes each has, how a record becomes an item and is read
/// back.
@NullMarked
package agentsessions.table.item;

import org.jspecify.annotations.NullMarked;
