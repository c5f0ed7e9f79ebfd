package agentsessions.api.events;

import agentsessions.api.sessions.SessionBody;
import agentsessions.api.sessions.ThreadBody;
import io.micronaut.serde.annotation.Serdeable;

/// What the API says of events, beside the resources that they carry.
final class EventWire {
  /// A session and the thread that is watched in it at one moment; events after `cursor` are those
  /// that came later.
  @Serdeable
  record Snapshot(SessionBody session, ThreadBody thread, String cursor) {}

  @Serdeable
  record Heartbeat() {}

  /// Why an answer ends: `wait`, `size`, `final`, `deleted` or `key`.
  @Serdeable
  record End(String reason) {}

  private EventWire() {}
}
