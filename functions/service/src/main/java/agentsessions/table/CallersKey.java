package agentsessions.table;

import agentsessions.authorizer.KeyCheck;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/// The key of a caller who changes what may be done, or decides. What such a request writes to the
/// [Table] is committed only while the key is live: an authorizer may have let it pass for a minute
/// after its end.
///
/// @param now the time of the request
public record CallersKey(String id, Instant now) {
  private static final ScopedValue<CallersKey> CALLER = ScopedValue.newInstance();

  /// Acts in this key's name: each write of this thread demands that the key is live.
  ///
  /// @throws agentsessions.authorizer.KeyEnded if it is not
  public <T> T during(Supplier<T> act) {
    return ScopedValue.where(CALLER, this).call(act::get);
  }

  /// What a transaction of this thread also demands.
  static Optional<TransactWriteItem> demand(String table) {
    return CALLER.isBound()
        ? Optional.of(new KeyCheck(CALLER.get().id(), CALLER.get().now()).in(table))
        : Optional.empty();
  }
}
