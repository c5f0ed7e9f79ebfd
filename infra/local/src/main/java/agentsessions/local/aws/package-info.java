/// Stand-ins of AWS's services on the wire: table, bucket, and the few calls to Step Functions,
/// Secrets Manager, Parameter Store and API Gateway, with the credentials they accept. Sees
/// `process`, `machine`, `steps` and `wire`.
@NullMarked
package agentsessions.local.aws;

import org.jspecify.annotations.NullMarked;
