package agentsessions.aws;

import agentsessions.session.ArtifactId;
import agentsessions.session.Stamp;
import agentsessions.session.TurnId;
import com.github.f4b6a3.uuid.UuidCreator;
import java.util.UUID;

/// Makes ids (UUIDv7) whose text order is the order of the stamps they are made from. Stamps given
/// to turns of one session are at least a millisecond apart, which is as fine as these ids are.
public final class TimeOrdered {
  public static TurnId turn(Stamp stamp) {
    return new TurnId(uuid(stamp));
  }

  public static ArtifactId artifact(Stamp stamp) {
    return new ArtifactId(uuid(stamp));
  }

  private static UUID uuid(Stamp stamp) {
    return UuidCreator.getTimeOrderedEpoch(stamp.instant());
  }

  private TimeOrdered() {}
}
