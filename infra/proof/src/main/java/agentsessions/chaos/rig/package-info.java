/// The tools of experiments: the whole service in this process behind a proxy that sees each call
/// of AWS, or as processes that can be killed; and a stub runner.
@NullMarked
package agentsessions.chaos.rig;

import org.jspecify.annotations.NullMarked;
