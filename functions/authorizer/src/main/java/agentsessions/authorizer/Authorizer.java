package agentsessions.authorizer;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Clock;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;

/// Turns `Authorization: ApiKey <key>` into a workspace: as a Lambda authorizer of type TOKEN in
/// front of every route, and as a plain call for whoever has no such front.
///
/// A key that is missing, malformed, unknown, expired or revoked is one and the same refusal. A
/// fault of DynamoDB is not a refusal but an error.
public final class Authorizer implements RequestStreamHandler {
  private static final Pattern HEADER = Pattern.compile("(?i:ApiKey) +(\\S+)");

  private final DynamoDbClient dynamoDb;
  private final String table;
  private final Clock clock;

  /// As Lambda makes it: the table's name is in `TABLE`.
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

  /// Who a value of the `Authorization` header stands for; empty if for nobody.
  public Optional<Principal> authenticate(@Nullable String header) {
    Instant now = clock.instant();
    return key(header)
        .flatMap(key -> record(key).filter(found -> found.matches(key) && found.isLive(now)))
        .map(KeyRecord::principal);
  }

  /// Answers API Gateway: a policy for the whole stage (it is cached, and a method's own policy
  /// would refuse the next route), the workspace, and the name for the usage plan.
  @Override
  public void handleRequest(InputStream input, OutputStream output, Context context)
      throws IOException {
    TokenEvent event = TokenEvent.read(input);
    Principal principal = authenticate(event.authorizationToken()).orElseThrow(this::refusal);
    event.allow(principal, output);
  }

  private static Optional<ApiKey> key(@Nullable String header) {
    Matcher parts = HEADER.matcher(header == null ? "" : header);
    return parts.matches() ? ApiKey.parse(parts.group(1)) : Optional.empty();
  }

  // Eventually consistent: half the price, and API Gateway keeps the answer for a minute anyway.
  private Optional<KeyRecord> record(ApiKey key) {
    GetItemResponse found =
        dynamoDb.getItem(get -> get.tableName(table).key(KeyRecord.key(key.id())));
    return found.hasItem() ? Optional.of(KeyRecord.read(found.item())) : Optional.empty();
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
