/// Fault injection: each call of AWS meets each fault, and each operation is still done exactly
/// once.
@NullMarked
package agentsessions.chaos.faults;

import org.jspecify.annotations.NullMarked;
