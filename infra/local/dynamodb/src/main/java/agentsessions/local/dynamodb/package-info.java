/// Code that runs inside the child process of DynamoDB Local: one class ends the process with its
/// parent, one lets only its parent connect, two see to it that what is acknowledged is kept, and
/// one keeps what each call would read anew.
///
/// It sees the JDK and Jetty only. Nothing of the product may come here, and nothing here may be
/// compiled against DynamoDB Local.
@NullMarked
package agentsessions.local.dynamodb;

import org.jspecify.annotations.NullMarked;
