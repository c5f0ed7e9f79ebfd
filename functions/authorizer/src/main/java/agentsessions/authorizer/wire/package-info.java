/// The two calls of DynamoDB that the authorizer makes, by the JDK alone: endpoint, credentials,
/// signature, time limits and repeats. It knows nothing of keys. Never in here: the SDK, or a third
/// call, which would be a reason to take the SDK again (decision 028).
@NullMarked
package agentsessions.authorizer.wire;

import org.jspecify.annotations.NullMarked;
