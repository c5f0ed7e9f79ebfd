/// The transitions: every change of a session and a turn with the conditions of its writes, and
/// what Step Functions runs (run, fail). Sees `store`, `aws`, `table` and `session`. Never in here:
/// the SDK, HTTP, JSON.
///
/// The fate of a queued turn that no runner claims, by the cause. There are at most five tries; the
/// time to wait grows with each of them by half of the first one's. A time counts from the message,
/// and the sweep may add up to a minute to each try. `LaunchCausesTest` reads this table.
///
/// | cause | a try | ends after | code | retryable |
/// |---|---|---|---|---|
/// | a launch is refused for want of room | no | the queue's time | NOT_STARTED | yes |
/// | a launch was accepted by Lambda, and dropped for want of room | no | the queue's time | NOT_STARTED | yes |
/// | a task was not placed, or ended for want of room | no | the queue's time | NOT_STARTED | yes |
/// | the answer to a launch is lost | no | the queue's time | NOT_STARTED | yes |
/// | the service is stopped before the claim | no | the queue's time | NOT_STARTED | yes |
/// | its agent is offered, and nothing can run it now | no | the queue's time | NOT_STARTED | yes |
/// | a function was started and never claims | yes | 15 minutes | NOT_STARTED | yes |
/// | a function was started and fails before the claim | yes | 5 minutes | NOT_STARTED | yes |
/// | a task was started and never claims | yes | 30 minutes | NOT_STARTED | yes |
/// | a task was started and fails before the claim | yes | 30 minutes | NOT_STARTED | yes |
/// | a launch of a function is refused as a mistake | no | 0 minutes | NOT_STARTED | no |
/// | a launch of a task is refused as a mistake | no | 0 minutes | NOT_STARTED | no |
/// | AWS does not allow a call of its steps | no | 0 minutes | NOT_STARTED | no |
/// | its agent is in the catalogue, not offered now | no | the queue's time | NOT_STARTED | yes |
/// | its agent is in no catalogue any more | no | 0 minutes | AGENT_NOT_AVAILABLE | no |
@NullMarked
package agentsessions.turn;

import org.jspecify.annotations.NullMarked;
