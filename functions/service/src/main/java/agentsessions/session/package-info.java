/// The rules: what a session, a turn, a message and an artifact are, and which changes they allow.
/// Sees only `java.*` and `rule`, which the runner has, too. Never in here: AWS, HTTP, JSON, clocks
/// of its own.
@NullMarked
package agentsessions.session;

import org.jspecify.annotations.NullMarked;
