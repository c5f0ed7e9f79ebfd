package agentsessions.turn;

import io.micronaut.context.annotation.Property;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;

/// The time for which the sweep leaves a turn that was just queued to the execution that starts it.
@Singleton
public final class StartGrace {
  private final Duration length;

  public StartGrace(
      @Property(name = "start.grace.seconds", defaultValue = "30") int startGraceSeconds) {
    this.length = Duration.ofSeconds(startGraceSeconds);
  }

  /// The time from which the sweep looks at a turn that is queued at `now`.
  public Instant dueAt(Instant now) {
    return now.plus(length);
  }

  Duration length() {
    return length;
  }
}
