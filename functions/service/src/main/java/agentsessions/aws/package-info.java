/// Everything that leaves the process: DynamoDB, S3, Step Functions, Secrets Manager. Alone in
/// importing the SDK. Sees `session`. Never in here: HTTP, JSON of the API, decisions that are not
/// conditions of a write.
@org.jspecify.annotations.NullMarked
package agentsessions.aws;
