package agentsessions.authorizer;

import static java.util.Comparator.comparing;

import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.Update;

/// Creates, lists and revokes the keys of a workspace: for its operator, never behind a request.
///
/// A workspace is a name of up to 64 letters, digits, `_` and `-`, and exists once it has a key. It
/// has at most [#CAP] live keys: their ids are the set `ids` of the item `W#{workspace}#KEYS` /
/// `0`, written in one transaction with the record, so that the cap holds however many create at
/// once.
public final class Keys {
  /// How many live keys a workspace may have.
  public static final int CAP = 5;

  private static final Pattern WORKSPACE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,63}");
  private static final String BEFORE = "W#";
  private static final String AFTER = "#KEYS";
  private static final int ATTEMPTS = 8;

  private final DynamoDbClient dynamoDb;
  private final String table;
  private final Clock clock;

  public Keys(DynamoDbClient dynamoDb, String table) {
    this(dynamoDb, table, Clock.systemUTC());
  }

  Keys(DynamoDbClient dynamoDb, String table, Clock clock) {
    this.dynamoDb = dynamoDb;
    this.table = table;
    this.clock = clock;
  }

  /// A new key, good at once and until `expiresAt`, or for ever; empty if the workspace has its
  /// [#CAP] live keys already. Its text is in the answer and nowhere else.
  public Optional<ApiKey> create(String workspace, @Nullable Instant expiresAt) {
    return create(workspace, expiresAt, ApiKey.randomDigits(32));
  }

  /// The same for a usage id that a usage plan knows already: a key that it does not know of would
  /// be refused.
  public Optional<ApiKey> create(String workspace, @Nullable Instant expiresAt, String usageId) {
    Set<String> ended = ended(workspace);
    if (!ended.isEmpty()) {
      committed(remove(workspace, ended));
    }
    ApiKey key = ApiKey.create();
    KeyRecord record = KeyRecord.of(key, workspace, usageId, now(), expiresAt);
    return committed(add(workspace, key.id()), put(record)) ? Optional.of(key) : Optional.empty();
  }

  /// The live keys of a workspace, oldest first.
  public List<KeyRecord> list(String workspace) {
    Instant now = now();
    return records(ids(workspace)).stream()
        .filter(record -> record.isLive(now))
        .sorted(comparing(KeyRecord::createdAt).thenComparing(KeyRecord::id))
        .toList();
  }

  /// The workspaces that have keys, by name. It reads the whole table: for an operator, now and
  /// then.
  public List<String> workspaces() {
    return dynamoDb
        .scanPaginator(scan ->
            scan.tableName(table)
                .projectionExpression("PK")
                .filterExpression(
                    "begins_with(PK, :workspace) AND contains(PK, :keys) AND attribute_exists(ids)")
                .expressionAttributeValues(
                    Map.of(
                        ":workspace", AttributeValue.fromS(BEFORE),
                        ":keys", AttributeValue.fromS(AFTER))))
        .items()
        .stream()
        .map(item -> item.getOrDefault("PK", AttributeValue.fromS("")).s())
        .filter(key -> key.endsWith(AFTER))
        .map(key -> key.substring(BEFORE.length(), key.length() - AFTER.length()))
        .sorted()
        .toList();
  }

  /// Ends a key; false if the workspace has no such key. Repeating it changes nothing. An
  /// authorizer that has just seen the key may let it pass for another minute.
  public boolean revoke(String workspace, String id) {
    return committed(remove(workspace, Set.of(id)), end(workspace, id));
  }

  // Ids in the set whose record has expired, or has been removed because it had.
  private Set<String> ended(String workspace) {
    Set<String> ids = ids(workspace);
    Set<String> live = list(workspace).stream().map(KeyRecord::id).collect(Collectors.toSet());
    return ids.stream().filter(id -> !live.contains(id)).collect(Collectors.toSet());
  }

  private Set<String> ids(String workspace) {
    AttributeValue ids =
        dynamoDb
            .getItem(get -> get.tableName(table).key(setKey(workspace)).consistentRead(true))
            .item()
            .get("ids");
    return ids == null ? Set.of() : Set.copyOf(ids.ss());
  }

  private List<KeyRecord> records(Set<String> ids) {
    return ids.stream()
        .map(id ->
            dynamoDb.getItem(
                get -> get.tableName(table).key(KeyRecord.key(id)).consistentRead(true)))
        .filter(found -> found.hasItem())
        .map(found -> KeyRecord.read(found.item()))
        .toList();
  }

  private TransactWriteItem add(String workspace, String id) {
    return update(update ->
        update
            .key(setKey(workspace))
            .updateExpression("ADD ids :ids")
            .conditionExpression("attribute_not_exists(ids) OR size(ids) < :cap")
            .expressionAttributeValues(
                Map.of(
                    ":ids", AttributeValue.fromSs(List.of(id)),
                    ":cap", AttributeValue.fromN(Integer.toString(CAP)))));
  }

  private TransactWriteItem remove(String workspace, Set<String> ids) {
    return update(update ->
        update
            .key(setKey(workspace))
            .updateExpression("DELETE ids :ids")
            .expressionAttributeValues(Map.of(":ids", AttributeValue.fromSs(List.copyOf(ids)))));
  }

  private TransactWriteItem end(String workspace, String id) {
    return update(update ->
        update
            .key(KeyRecord.key(id))
            .updateExpression("SET revoked_at = if_not_exists(revoked_at, :now)")
            .conditionExpression("workspace = :workspace")
            .expressionAttributeValues(
                Map.of(
                    ":now", KeyRecord.seconds(now()),
                    ":workspace", AttributeValue.fromS(workspace))));
  }

  private TransactWriteItem update(Consumer<Update.Builder> change) {
    return TransactWriteItem.builder()
        .update(update -> change.accept(update.tableName(table)))
        .build();
  }

  private TransactWriteItem put(KeyRecord record) {
    return TransactWriteItem.builder()
        .put(put ->
            put.tableName(table)
                .item(record.item())
                .conditionExpression("attribute_not_exists(PK)"))
        .build();
  }

  // False: a condition failed. The SDK does not repeat a transaction that another one was in the
  // way of.
  private boolean committed(TransactWriteItem... items) {
    for (int attempt = 1; ; attempt++) {
      try {
        dynamoDb.transactWriteItems(transaction -> transaction.transactItems(items));
        return true;
      } catch (TransactionCanceledException e) {
        if (hasFailedCondition(e)) {
          return false;
        }
        if (attempt == ATTEMPTS) {
          throw e;
        }
        LockSupport.parkNanos(
            ThreadLocalRandom.current().nextLong(TimeUnit.MILLISECONDS.toNanos(10L << attempt)));
      }
    }
  }

  private static boolean hasFailedCondition(TransactionCanceledException e) {
    return e.cancellationReasons().stream()
        .anyMatch(reason -> "ConditionalCheckFailed".equals(reason.code()));
  }

  private static Map<String, AttributeValue> setKey(String workspace) {
    if (!WORKSPACE.matcher(workspace).matches()) {
      throw new IllegalArgumentException(
          "A workspace is named by 1 to 64 letters, digits, '_' or '-', the first not a sign");
    }
    return KeyRecord.itemKey(BEFORE + workspace + AFTER);
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.SECONDS);
  }
}
