/// The messages of the runner protocol, `infra/runner.yaml`, as both sides write and read them.
/// What a runner sends may be missing or wrong, so that all of it may be null and its words are
/// words only; the service judges it. Sees `rule` and annotations. Never in here: a check, a
/// default of either side, how JSON is written.
@NullMarked
package agentsessions.wire;

import org.jspecify.annotations.NullMarked;
