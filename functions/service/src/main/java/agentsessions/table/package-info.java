/// The one table: its layout, attributes, changes, reads and retries, and in `table/item` its
/// items. DynamoDB's SDK is known in these two, in `aws`, whose clients speak to it, and in
/// `store`. Sees `session`. Decides nothing. Never in here: a condition, HTTP.
@NullMarked
package agentsessions.table;

import org.jspecify.annotations.NullMarked;
