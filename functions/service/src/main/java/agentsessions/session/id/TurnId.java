package agentsessions.session.id;

import java.util.Optional;
import java.util.UUID;

/// Names a turn, which the API calls a thread: a time-ordered UUID, so that turns sort by it. The
/// turns of a session sort in the order in which they begin.
///
/// The id of a job says so by its version (8 in place of 7), so that no list of turns has one.
public record TurnId(UUID value) {
  private static final int JOB_VERSION = 8;
  private static final long VERSION_BITS = 0xF000L;

  public static Optional<TurnId> parse(String text) {
    return Uuids.parse(text).map(TurnId::new);
  }

  /// The time in the id, in milliseconds since 1970.
  public long millis() {
    return value.getMostSignificantBits() >>> 16;
  }

  public boolean isJob() {
    return value.version() == JOB_VERSION;
  }

  /// The same id for a job.
  public TurnId job() {
    long most = (value.getMostSignificantBits() & ~VERSION_BITS) | ((long) JOB_VERSION << 12);
    return new TurnId(new UUID(most, value.getLeastSignificantBits()));
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
