/// Runs one agent turn: claim, run, capture, report, release.
///
/// It stands on the untrusted side. All it has is what an invocation brings (a ticket for one turn
/// and the address of the runner protocol); all it knows of the service is that protocol. No AWS
/// SDK, no permission, no database, nothing of `functions/service` may ever be in here.
///
/// The rooms, each of which sees those to its right: `start` ▸ `turn` ▸ `repository` ▸ `capture`
/// (what a turn made) ▸ `control` (the service) ▸ `sandbox` (where the agent runs) ▸ `network` (its
/// ways out) ▸ `usage` (of models) ▸ `agent` (what it is and says).
///
/// How it is fed: always by AWS's own runtime client. On Lambda the managed runtime brings it; on
/// one machine `Main` starts it in this process, where `AWS_LAMBDA_MAX_CONCURRENCY` makes it take
/// so many invocations at once, each on a thread of its own (measured with version 2.9.0). Whoever
/// serves the Runtime API must send a `Content-Type` with each invocation: the client's native half
/// crashes without.
///
/// Where a session has a task of its own the runner is `Task`, which is told its first turn by its
/// environment and asks for the next ones itself; `KeyContainer` stands beside it.
///
/// The way through: `RunnerHandler` or `Task` → `Turns` → `TurnRun` → `Sandbox` and `AgentProcess`
/// → `Verdict` → `Capture` → `Control`. An agent's own way out, where it has one: `Bridge` (in its
/// sandbox) → `ModelProxy` (here) → its model.
@NullMarked
package agentsessions.runner;

import org.jspecify.annotations.NullMarked;
