package agentsessions.table;

import agentsessions.session.id.ArtifactId;
import agentsessions.session.id.Stamp;
import agentsessions.session.id.TurnId;
import com.github.f4b6a3.uuid.UuidCreator;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

/// Time-ordered ids (UUIDv7), whose text order is the order of the stamps they are made from.
/// Stamps given to turns of one session are at least a millisecond apart, which is as fine as these
/// ids are.
public final class TimeOrderedIds {
  private static final long MILLISECOND = 1_000;

  public static TurnId turn(Stamp stamp) {
    return new TurnId(uuid(stamp));
  }

  /// An id that is at least so many milliseconds after another.
  public static TurnId turn(Stamp stamp, TurnId last, long millis) {
    Instant least = Instant.ofEpochMilli(last.millis() + millis);
    Instant at = stamp.instant();
    return new TurnId(UuidCreator.getTimeOrderedEpoch(at.isBefore(least) ? least : at));
  }

  /// Ids for `count` artifacts of a turn, in the order in which they are to be listed.
  public static List<ArtifactId> artifacts(Stamp first, int count) {
    return IntStream.range(0, count)
        .mapToObj(index -> artifact(first.plusMicros(index * MILLISECOND)))
        .toList();
  }

  public static ArtifactId artifact(Stamp stamp) {
    return new ArtifactId(uuid(stamp));
  }

  /// Sorts before every id that is made from this stamp or a later one.
  public static String least(Stamp stamp) {
    String millis = "%012x".formatted(Math.max(0, stamp.instant().toEpochMilli()));
    return millis.substring(0, 8) + "-" + millis.substring(8);
  }

  private static UUID uuid(Stamp stamp) {
    return UuidCreator.getTimeOrderedEpoch(stamp.instant());
  }

  private TimeOrderedIds() {}
}
