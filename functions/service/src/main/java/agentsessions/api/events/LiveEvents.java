package agentsessions.api.events;

import agentsessions.api.artifacts.Downloads;
import agentsessions.api.request.Links;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.TurnId;
import agentsessions.store.event.SessionEvents;
import agentsessions.store.message.History;
import agentsessions.store.request.Requests;
import agentsessions.store.session.Sessions;
import agentsessions.table.ChangeSignal;
import agentsessions.table.LargeReads;
import agentsessions.table.RetryDeadline;
import io.micronaut.json.JsonMapper;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;

/// The long poll of a session's events: it responds at once with what has happened already, else as
/// soon as something happens or the client's wait is over.
@Singleton
final class LiveEvents {
  private static final Duration POLL = Duration.ofSeconds(5);

  /// The time for which a stream's response collects events where no change signal ends the wait,
  /// so that a client that reconnects at once does not use up its rate limit.
  private static final Duration COLLECT = Duration.ofSeconds(2);

  private final SessionEvents events;
  private final Sessions sessions;
  private final Requests requests;
  private final History history;
  private final Downloads downloads;
  private final ChangeSignal signal;
  private final SessionReader.Shared shared;
  private final JsonMapper json;

  LiveEvents(
      SessionEvents events,
      Sessions sessions,
      Requests requests,
      History history,
      Downloads downloads,
      ChangeSignal signal,
      JsonMapper json) {
    this.events = events;
    this.sessions = sessions;
    this.requests = requests;
    this.history = history;
    this.downloads = downloads;
    this.signal = signal;
    this.shared = new SessionReader.Shared(signal.isComplete());
    this.json = json;
  }

  /// @param thread the only one to follow; empty: the whole session
  EventResponse follow(Links links, SessionKey key, Optional<TurnId> thread, EventQuery query) {
    try (ChangeSignal.Watch watch = signal.watch(key)) {
      SessionReader reader = new SessionReader(events, sessions, requests, shared, key, watch);
      EventWriter writer =
          new EventWriter(reader, links, key.id(), query, history, downloads, json);
      EventFollower follower = new EventFollower(reader, thread, query, writer);
      boolean hasNext = signal.isComplete() && query.isStream();
      PollSchedule schedule =
          new PollSchedule(signal.isComplete(), query.longest(), collect(query));
      RetryDeadline.run(POLL, follower::begin);
      while (!follower.isOver() && !signal.isOver() && schedule.goesOn(!writer.isEmpty())) {
        LargeReads.forget();
        schedule.pause(watch, follower.isBehind());
        if (schedule.isHeartbeatDue()) {
          writer.heartbeat();
        }
        RetryDeadline.run(POLL, () -> follower.poll(hasNext));
      }
      return writer.end(follower.reason(), follower.cursor());
    }
  }

  private Duration collect(EventQuery query) {
    return !signal.isComplete() && query.isStream() && query.after().isPresent()
        ? COLLECT
        : Duration.ZERO;
  }
}
