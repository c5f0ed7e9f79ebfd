package agentsessions.authorizer;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// The two calls of the table that the check of a key makes. The function has small ones of its own
/// ([LambdaKeyLookup]); who has the SDK's client anyway uses that ([KeyTable]).
public interface KeyLookup {
  /// How a use is noted: at most once an hour, and only with a key that is there.
  String USED = "SET last_used_at = :hour";

  String NOT_YET_USED =
      "attribute_exists(PK) AND (attribute_not_exists(last_used_at) OR last_used_at < :hour)";

  Duration NOTE_TIMEOUT = Duration.ofMillis(300);

  /// The record of this id. Eventually consistent: half the price, and API Gateway keeps the answer
  /// for 45 seconds anyway. A fault is an exception, never an empty answer.
  Optional<KeyRecord> find(String id);

  /// Notes the hour of a use. It takes [#NOTE_TIMEOUT] at most, and may fail unheard.
  void noteUse(String id, Instant hour);
}
