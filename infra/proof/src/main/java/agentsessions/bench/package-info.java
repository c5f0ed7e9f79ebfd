/// The measurements, and the large versions of the tests in `chaos`: what `scripts/bench` runs.
/// Times are ratios against something in the same run; nothing here is a test.
@NullMarked
package agentsessions.bench;

import org.jspecify.annotations.NullMarked;
