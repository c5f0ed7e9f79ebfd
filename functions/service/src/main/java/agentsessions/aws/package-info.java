/// S3, Step Functions, Lambda, ECS, Secrets Manager, parameters and API Gateway's keys, each behind
/// a small class. Alone in importing their SDKs. Sees `table` (repeats, faults) and `session`.
/// Never in here: HTTP, JSON of the API, a decision.
@NullMarked
package agentsessions.aws;

import org.jspecify.annotations.NullMarked;
