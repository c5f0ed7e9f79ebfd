package agentsessions.authorizer;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/// The authentication of `Authorization: ApiKey <key>`, which gives a workspace: as a Lambda
/// authorizer of type TOKEN in front of every route, and as a plain call where there is no such
/// front.
///
/// The hour in which a key was last used is noted with its record.
///
/// A key that is missing, malformed, unknown, expired or revoked is one and the same refusal. A
/// fault of DynamoDB is not a refusal but an error.
public final class Authorizer implements RequestStreamHandler {
  private static final Duration PATIENCE = Duration.ofMillis(300);
  private static final Pattern HEADER = Pattern.compile("(?i:ApiKey) +(\\S+)");

  private final DynamoDbClient dynamoDb;
  private final String table;
  private final Clock clock;

  /// The constructor that Lambda calls: the table's name is in `TABLE`.
  public Authorizer() {
    this(DynamoDb.fromEnvironment(), Objects.requireNonNull(System.getenv("TABLE"), "TABLE"));
    prime();
  }

  public Authorizer(DynamoDbClient dynamoDb, String table) {
    this(dynamoDb, table, Clock.systemUTC());
  }

  Authorizer(DynamoDbClient dynamoDb, String table, Clock clock) {
    this.dynamoDb = dynamoDb;
    this.table = table;
    this.clock = clock;
  }

  /// The caller that a value of the `Authorization` header stands for; empty if its key is not
  /// valid.
  public Optional<Principal> authenticate(@Nullable String header) {
    return known(header).map(KeyRecord::principal);
  }

  /// Answers API Gateway: a policy for the whole stage (it is cached, and a method's own policy
  /// would refuse the next route), the workspace, and the name for the usage plan.
  @Override
  public void handleRequest(InputStream input, OutputStream output, Context context)
      throws IOException {
    TokenEvent event = TokenEvent.read(input);
    KeyRecord record = known(event.authorizationToken()).orElseThrow(this::refusal);
    noteUse(record);
    event.allow(record.principal(), output);
  }

  private Optional<KeyRecord> known(@Nullable String header) {
    Instant now = clock.instant();
    return key(header)
        .flatMap(key -> record(key).filter(found -> found.matches(key) && found.isLive(now)))
        .filter(found -> !found.grant().scopes().isEmpty());
  }

  private static Optional<ApiKey> key(@Nullable String header) {
    Matcher parts = HEADER.matcher(header == null ? "" : header);
    return parts.matches() ? ApiKey.parse(parts.group(1)) : Optional.empty();
  }

  // Eventually consistent: half the price, and API Gateway keeps the answer for 45 seconds anyway.
  private Optional<KeyRecord> record(ApiKey key) {
    GetItemResponse found =
        SdkCalls.make(
            () -> dynamoDb.getItem(get -> get.tableName(table).key(KeyRecord.key(key.id()))));
    return found.hasItem() ? Optional.of(KeyRecord.read(found.item())) : Optional.empty();
  }

  // At most one write for each key and hour. It has a short time-out, and it may fail.
  private void noteUse(KeyRecord record) {
    Instant hour = clock.instant().truncatedTo(ChronoUnit.HOURS);
    if (record.lastUsedAt() != null && !record.lastUsedAt().isBefore(hour)) {
      return;
    }
    try {
      SdkCalls.make(() -> dynamoDb.updateItem(used(record, hour)));
    } catch (SdkException notSoImportant) {
      return;
    }
  }

  private UpdateItemRequest used(KeyRecord record, Instant hour) {
    return UpdateItemRequest.builder()
        .tableName(table)
        .key(KeyRecord.key(record.id()))
        .updateExpression("SET last_used_at = :hour")
        .conditionExpression(
            "attribute_exists(PK) AND (attribute_not_exists(last_used_at) OR last_used_at < :hour)")
        .expressionAttributeValues(Map.of(":hour", KeyRecord.seconds(hour)))
        .overrideConfiguration(
            call -> call.apiCallTimeout(PATIENCE).apiCallAttemptTimeout(PATIENCE))
        .build();
  }

  // API Gateway knows this very text, and answers 401 to it and 500 to any other.
  private RuntimeException refusal() {
    return new RuntimeException("Unauthorized");
  }

  // One read of a key that does not exist: it loads the classes and opens the connection before the
  // snapshot, or before the first request. If the table cannot be read yet, that request will say.
  private void prime() {
    try {
      record(new ApiKey("0", "0"));
    } catch (SdkException notYet) {
      return;
    }
  }
}
