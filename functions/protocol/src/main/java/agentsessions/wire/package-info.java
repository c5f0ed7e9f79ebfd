/// The messages of the runner protocol, `infra/runner.yaml`, as both sides write and read them. A
/// runner is untrusted: any value of its requests may be missing or wrong, so all of them are
/// nullable and codes are plain text; the service checks them. Sees `rule` and annotations. Never
/// in here: a check, a default of either side, how JSON is written.
@NullMarked
package agentsessions.wire;

import org.jspecify.annotations.NullMarked;
