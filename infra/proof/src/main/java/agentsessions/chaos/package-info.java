/// What must hold when things go wrong, shown from outside: at the service's API, at the runner
/// protocol, and on the wire between the service and AWS. The tests are small; the same programs
/// run large from scripts/bench. Those that are tagged `deep` besides are the larger of them, for
/// when there is more time; none leaves anything to chance. Nothing here looks into the service.
@NullMarked
package agentsessions.chaos;

import org.jspecify.annotations.NullMarked;
