/// Everything that leaves the process: DynamoDB, S3, Step Functions, Secrets Manager. Alone in
/// importing the SDK. Sees `session`. Never in here: HTTP, JSON of the API, a decision about a
/// turn.
@org.jspecify.annotations.NullMarked
package agentsessions.aws;
