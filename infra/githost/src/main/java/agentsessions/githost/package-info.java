/// A git host on loopback, which the tests of the runner and of the whole product clone from and
/// push to. Never deployed.
@NullMarked
package agentsessions.githost;

import org.jspecify.annotations.NullMarked;
