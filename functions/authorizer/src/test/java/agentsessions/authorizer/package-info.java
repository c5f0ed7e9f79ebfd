/// Tests of the key rules: as values, and against DynamoDB's wire protocol on loopback.
@NullMarked
package agentsessions.authorizer;

import org.jspecify.annotations.NullMarked;
