/// The behaviour under faults, kills, races and attacks, shown from outside: at the service's API,
/// at the runner protocol, and on the wire between the service and AWS. The tests are small;
/// `scripts/bench` runs the same programs at full size. Tests with the tag `deep` are the larger
/// ones, for when there is more time; none depends on chance. Nothing here looks into the service.
@NullMarked
package agentsessions.chaos;

import org.jspecify.annotations.NullMarked;
