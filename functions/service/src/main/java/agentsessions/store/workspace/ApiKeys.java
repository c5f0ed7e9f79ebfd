package agentsessions.store.workspace;

import agentsessions.authorizer.ApiKey;
import agentsessions.authorizer.Grant;
import agentsessions.authorizer.KeyEnded;
import agentsessions.authorizer.KeyRecord;
import agentsessions.authorizer.WorkspaceKeys;
import agentsessions.authorizer.WorkspaceKeys.Revocation;
import agentsessions.aws.UsagePlanKeys;
import agentsessions.session.id.Workspace;
import agentsessions.table.Retries;
import agentsessions.table.Unavailable;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/// The API keys of a workspace, for holders of a key with the scope to list and change them. The
/// usage plan of the gateway follows: it learns of a key before the key can be used, and forgets it
/// when it cannot be used any more.
@Singleton
public final class ApiKeys {
  private static final Duration TO_BE_RECORDED = Duration.ofDays(1);

  private final WorkspaceKeys keys;
  private final UsagePlanKeys plan;
  private final Clock clock;

  ApiKeys(WorkspaceKeys keys, UsagePlanKeys plan, Clock clock) {
    this.keys = keys;
    this.plan = plan;
    this.clock = clock;
  }

  /// A key that was just made: its text is here and nowhere else.
  public record Made(ApiKey key, KeyRecord record) {}

  /// Makes a key, good within a minute; empty if the workspace has as many as it may.
  ///
  /// @throws KeyEnded if the key that makes it has ended
  public Optional<Made> create(Workspace workspace, Grant grant) {
    List<KeyRecord> live = live(workspace);
    String maker = grant.madeBy();
    if (maker != null && live.stream().noneMatch(key -> key.id().equals(maker))) {
      throw new KeyEnded();
    }
    if (live.size() >= WorkspaceKeys.CAP) {
      return Optional.empty();
    }
    ApiKey key = ApiKey.create();
    String usageId = WorkspaceKeys.freshUsageId();
    plan.add(key.id(), usageId);
    try {
      Optional<KeyRecord> record =
          attempt("a new key", () -> keys.add(key, workspace.name(), grant, usageId));
      if (record.isEmpty()) {
        plan.remove(key.id());
      }
      return record.map(kept -> new Made(key, kept));
    } catch (KeyEnded ended) {
      plan.remove(key.id());
      throw ended;
    }
  }

  /// Live keys and those that ended within 30 days (of these at most 100), newest first.
  public List<KeyRecord> list(Workspace workspace) {
    return attempt("the keys", () -> keys.list(workspace.name()));
  }

  /// Ends a key, everywhere within a minute.
  ///
  /// @param by the id of the key that ends it
  /// @throws KeyEnded if that one has ended
  public Revocation revoke(Workspace workspace, String id, String by) {
    Revocation revocation =
        attempt("the end of a key", () -> keys.revoke(workspace.name(), id, by));
    if (revocation == Revocation.REVOKED) {
      plan.remove(id);
    }
    return revocation;
  }

  /// The result of tidying up.
  ///
  /// @param all the keys of the whole account, which may have 10,000
  /// @param removed the keys that were removed from the plan
  public record Tidied(int all, int removed) {}

  /// Removes from the plan the keys that have ended, by themselves or where a removal was lost, and
  /// those that were never recorded; as many as there is time for.
  public Tidied tidy(BooleanSupplier hasTime) {
    UsagePlanKeys.All known = plan.all();
    List<UsagePlanKeys.Known> planned = known.ofPlan();
    Map<String, KeyRecord> records =
        keys.records(planned.stream().map(UsagePlanKeys.Known::name).distinct().toList()).stream()
            .collect(Collectors.toMap(KeyRecord::id, Function.identity()));
    List<UsagePlanKeys.Known> over =
        planned.stream().filter(key -> isOver(key, records.get(key.name()))).toList();
    int removed = 0;
    while (removed < over.size() && hasTime.getAsBoolean()) {
      plan.delete(over.get(removed++).id());
    }
    return new Tidied(known.keys().size() - removed, removed);
  }

  /// Whether a key has ended. The plan learns of a key before the table does, so one without a
  /// record is given a day.
  private boolean isOver(UsagePlanKeys.Known known, @Nullable KeyRecord record) {
    Instant now = clock.instant();
    return record == null
        ? known.createdAt().plus(TO_BE_RECORDED).isBefore(now)
        : !record.isLive(now);
  }

  /// Asked before the plan is called, which takes five new keys a second for the whole account.
  private List<KeyRecord> live(Workspace workspace) {
    Instant now = clock.instant();
    return list(workspace).stream().filter(key -> key.isLive(now)).toList();
  }

  private static <T> T attempt(String what, Supplier<T> call) {
    try {
      return Retries.call(what, call);
    } catch (TransactionCanceledException overtaken) {
      throw new Unavailable(what, overtaken);
    }
  }
}
