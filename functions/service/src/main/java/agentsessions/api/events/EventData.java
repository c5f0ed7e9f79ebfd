package agentsessions.api.events;

import agentsessions.api.sessions.SessionBody;
import agentsessions.api.sessions.ThreadBody;
import io.micronaut.serde.annotation.Serdeable;

/// The JSON data of the events that are not a single resource: snapshot, heartbeat and end.
final class EventData {
  /// A session and its watched thread at one moment; events after `cursor` are those that came
  /// later.
  @Serdeable
  record Snapshot(SessionBody session, ThreadBody thread, String cursor) {}

  @Serdeable
  record Heartbeat() {}

  /// The reason why a response ends: `wait`, `size`, `final`, `deleted` or `key`.
  @Serdeable
  record End(String reason) {}

  private EventData() {}
}
