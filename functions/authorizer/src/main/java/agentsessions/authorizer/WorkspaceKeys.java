package agentsessions.authorizer;

import static java.util.Comparator.comparing;
import static java.util.Comparator.reverseOrder;

import agentsessions.authorizer.KeyTable.Step;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/// The API keys of a workspace, to be created, listed and revoked: by its operator, and by holders
/// of a key with the scope for it.
///
/// A workspace is a name of up to 64 letters, digits, `_` and `-`, and exists once it has a key. It
/// has at most [#CAP] live keys, however many create at once, and remembers [#REMEMBERED] ended
/// ones.
public final class WorkspaceKeys {
  /// How many live keys a workspace may have.
  public static final int CAP = 50;

  /// How many ended keys are listed, the latest; each for 30 days.
  public static final int REMEMBERED = 100;

  /// How long a sign-in to the console lasts.
  public static final Duration SIGNED_IN = Duration.ofDays(7);

  /// A key that ends sooner does not count as an administrator's to rely on.
  private static final Duration SOON = Duration.ofHours(24);

  private final KeyTable table;
  private final Clock clock;

  public WorkspaceKeys(DynamoDbClient dynamoDb, String table) {
    this(dynamoDb, table, Clock.systemUTC());
  }

  WorkspaceKeys(DynamoDbClient dynamoDb, String table, Clock clock) {
    this.table = new KeyTable(dynamoDb, table);
    this.clock = clock;
  }

  /// The outcome of a revocation.
  public enum Revocation {
    REVOKED,
    NO_SUCH_KEY,
    LAST_ADMIN
  }

  /// A random id for the usage plan, which grants nothing.
  public static String freshUsageId() {
    return ApiKey.randomDigits(32);
  }

  /// A new key, good at once; empty if the workspace has its [#CAP] live keys already. Its text is
  /// in the answer and nowhere else.
  public Optional<ApiKey> create(String workspace, Grant grant) {
    return create(workspace, grant, freshUsageId());
  }

  /// The same for a usage id that a usage plan knows already: the gateway would refuse a key whose
  /// id the plan does not know.
  public Optional<ApiKey> create(String workspace, Grant grant, String usageId) {
    ApiKey key = ApiKey.create();
    return add(key, workspace, grant, usageId).map(_ -> key);
  }

  /// Records a key that was made; empty if the workspace has its [#CAP] live keys already.
  ///
  /// @throws KeyEnded if the key that makes it has ended
  public Optional<KeyRecord> add(ApiKey key, String workspace, Grant grant, String usageId) {
    return add(KeyRecord.of(key, workspace, usageId, grant, made()), _ -> false);
  }

  /// A key for a sign-in to the console on this machine: with all scopes, until `expiresAt`, in
  /// place of the key of the sign-in before.
  public Optional<ApiKey> signIn(String workspace, Instant expiresAt) {
    ApiKey key = ApiKey.create();
    Grant grant = new Grant("console", Scope.all(), expiresAt, true, null);
    KeyRecord record = KeyRecord.of(key, workspace, freshUsageId(), grant, made());
    return add(record, old -> old.grant().isSignIn()).map(_ -> key);
  }

  /// The keys of a workspace, live ones and those that ended lately, newest first.
  public List<KeyRecord> list(String workspace) {
    Instant now = now();
    return table.records(table.keys(workspace).all()).stream()
        .filter(record -> !record.isForgotten(now))
        .sorted(comparing(KeyRecord::createdAt, reverseOrder()).thenComparing(KeyRecord::id))
        .toList();
  }

  /// One key of a workspace.
  public Optional<KeyRecord> find(String workspace, String id) {
    return table.record(id).filter(record -> record.workspace().equals(workspace));
  }

  /// The keys of these ids, of any workspace; those that the table has forgotten are missing.
  public List<KeyRecord> records(Collection<String> ids) {
    return table.records(ids);
  }

  /// The workspaces that have keys, by name. It reads the whole table: for an operator, now and
  /// then.
  public List<String> workspaces() {
    return table.workspaces();
  }

  /// Ends a key, even the last that administers the workspace; false if the workspace has no such
  /// key. Repeating it changes nothing. An authorizer that has just seen the key may let it pass
  /// for most of another minute.
  public boolean end(String workspace, String id) {
    return revoke(workspace, id, true, null) == Revocation.REVOKED;
  }

  /// The same, but not for the last key that administers the workspace and still will tomorrow.
  ///
  /// @param by the id of the key that revokes it
  /// @throws KeyEnded if that one has ended
  public Revocation revoke(String workspace, String id, String by) {
    return revoke(workspace, id, false, by);
  }

  private Revocation revoke(String workspace, String id, boolean alsoTheLast, @Nullable String by) {
    return table.change(
        workspace,
        keys -> {
          List<KeyRecord> known = table.records(keys.all());
          Optional<KeyRecord> found = known.stream().filter(key -> key.id().equals(id)).findFirst();
          if (found.filter(key -> key.revokedAt() != null).isPresent()) {
            return new Step<>(Revocation.REVOKED, List.of()); // perhaps a repeat, of its own end
          }
          requireLive(by, known);
          if (found.isEmpty()) {
            return new Step<>(Revocation.NO_SUCH_KEY, List.of());
          }
          KeyRecord key = found.get();
          if (!alsoTheLast && isLastAdmin(key, known)) {
            return new Step<>(Revocation.LAST_ADMIN, List.of());
          }
          KeyRecord revoked = key.revoked(now());
          return new Step<>(
              Revocation.REVOKED,
              List.of(
                  next(keys, replaced(known, revoked)), new KeyItem(revoked).end(table.name())));
        });
  }

  /// Counted among the very records that the write depends on: with a number kept beside them, two
  /// revocations at once would both pass.
  private boolean isLastAdmin(KeyRecord key, List<KeyRecord> known) {
    Instant tomorrow = now().plus(SOON);
    return key.administersAt(tomorrow)
        && known.stream().filter(each -> each.administersAt(tomorrow)).count() == 1;
  }

  /// Asked of the very records that the write depends on, which a revocation changes: what an
  /// authorizer said of the key may be a minute old.
  private void requireLive(@Nullable String by, List<KeyRecord> known) {
    Instant now = now();
    if (by != null
        && known.stream().noneMatch(key -> key.id().equals(by) && key.isAdministering(now))) {
      throw new KeyEnded();
    }
  }

  private Optional<KeyRecord> add(KeyRecord record, Predicate<KeyRecord> replaces) {
    return table.change(
        record.workspace(),
        keys -> {
          List<KeyRecord> known = table.records(keys.all());
          if (known.stream().anyMatch(key -> key.id().equals(record.id()))) {
            return new Step<>(Optional.of(record), List.of()); // repeat: the response was lost
          }
          requireLive(record.grant().madeBy(), known);
          List<KeyRecord> replaced =
              live(known).filter(replaces).map(old -> old.revoked(now())).toList();
          List<KeyRecord> all = replaced(known, replaced.toArray(KeyRecord[]::new));
          if (live(all).count() >= CAP) {
            return new Step<>(Optional.empty(), List.of());
          }
          all.add(record);
          List<TransactWriteItem> writes =
              new ArrayList<>(List.of(next(keys, all), new KeyItem(record).put(table.name())));
          replaced.forEach(old -> writes.add(new KeyItem(old).end(table.name())));
          return new Step<>(Optional.of(record), writes);
        });
  }

  private Stream<KeyRecord> live(List<KeyRecord> records) {
    Instant now = now();
    return records.stream().filter(record -> record.isLive(now));
  }

  private static List<KeyRecord> replaced(List<KeyRecord> records, KeyRecord... by) {
    Set<String> ids = Set.copyOf(Stream.of(by).map(KeyRecord::id).toList());
    List<KeyRecord> all =
        new ArrayList<>(records.stream().filter(record -> !ids.contains(record.id())).toList());
    all.addAll(List.of(by));
    return all;
  }

  private TransactWriteItem next(KeySet keys, List<KeyRecord> records) {
    Instant now = now();
    List<String> over =
        records.stream()
            .filter(record -> record.ended(now).isPresent() && !record.isForgotten(now))
            .sorted(comparing(record -> record.ended(now).orElse(now), reverseOrder()))
            .limit(REMEMBERED)
            .map(KeyRecord::id)
            .toList();
    return keys.next(table.name(), live(records).map(KeyRecord::id).toList(), over);
  }

  private Instant made() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.SECONDS);
  }
}
