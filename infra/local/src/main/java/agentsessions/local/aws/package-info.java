/// Stand-ins of AWS's services on the wire: table, bucket, and the service's calls to Step
/// Functions, Secrets Manager, Parameter Store, API Gateway, Lambda and ECS, with the credentials
/// they accept. Sees `process`, `machine`, `steps` and `wire`.
@NullMarked
package agentsessions.local.aws;

import org.jspecify.annotations.NullMarked;
