/// Runs one agent turn: claim, run, capture, report, release.
///
/// It stands on the untrusted side. Its only input is its invocation (a ticket for one turn and the
/// URL of the runner protocol); it knows the service only by that protocol, whose messages and
/// common rules are `functions/protocol`. No AWS SDK, no permission, no database, nothing of
/// `functions/service` may ever be in here.
///
/// The rooms, each of which sees those to its right: `start` ▸ `turn` ▸ `repository` ▸ `capture`
/// (of files that a turn made) ▸ `control` (client of the service) ▸ `sandbox` (confines the agent)
/// ▸ `network` (proxies) ▸ `usage` (of models) ▸ `agent` (catalogue entries and output).
///
/// On Lambda invocations come through AWS's own runtime client, one at a time; on one machine
/// `Main` takes them from a Runtime API itself, and one process runs many turns at once (decision
/// 031). So what a turn leaves must be closed with it, and no static state may be a turn's own.
///
/// In a task of its own, the runner is `Task`, which gets its first turn from its environment and
/// polls for the next ones itself; `KeyContainer` runs beside it.
///
/// The call path of a turn: `RunnerHandler` or `Task` → `TurnWorker` → `TurnRun` → `Sandbox` and
/// `AgentProcess` → `TurnOutcome` → `Capture` → `ServiceClient`. An agent's path to its model: the
/// bridge (in its sandbox) → `ModelProxy` (here) → its model.
@NullMarked
package agentsessions.runner;

import org.jspecify.annotations.NullMarked;
