package agentsessions.aws;

import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/// One write of a transaction as {@link Change} made it, so that the rooms that decide on writes
/// need not know the SDK.
public record Write(TransactWriteItem item) {}
