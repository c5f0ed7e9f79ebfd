package agentsessions.session;

import java.util.Locale;

/// The status of a turn. `QUEUED`, `RUNNING` and `PARKED`, in which it waits for a decision without
/// a runner, are live; every other status is final for ever.
public enum TurnStatus {
  QUEUED,
  RUNNING,
  PARKED,
  COMPLETED,
  FAILED,
  INTERRUPTED,
  CANCELLED,
  TIMED_OUT;

  public boolean live() {
    return this == QUEUED || this == RUNNING || this == PARKED;
  }

  /// True where the turn closed with a `final_message`: interrupted and cancelled turns stay
  /// without one for ever.
  public boolean spoke() {
    return this == COMPLETED || this == FAILED || this == TIMED_OUT;
  }

  /// The word of the API.
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
