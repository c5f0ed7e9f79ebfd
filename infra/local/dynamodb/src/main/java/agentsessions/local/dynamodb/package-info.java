/// What runs inside the child process of DynamoDB Local beside it: one class that ties its life to
/// its parent's, one that lets only its parent in.
///
/// It sees the JDK and Jetty only. Nothing of the product may come here, and nothing here may be
/// compiled against DynamoDB Local.
@NullMarked
package agentsessions.local.dynamodb;

import org.jspecify.annotations.NullMarked;
