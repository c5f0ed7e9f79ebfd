/// The items of the table: the attributes of each, and the conversion between a record and its
/// item.
@NullMarked
package agentsessions.table.item;

import org.jspecify.annotations.NullMarked;
