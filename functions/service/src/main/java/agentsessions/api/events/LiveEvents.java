package agentsessions.api.events;

import agentsessions.api.artifacts.Downloads;
import agentsessions.api.request.Links;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.TurnId;
import agentsessions.store.event.SessionEvents;
import agentsessions.store.message.History;
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
  private static final Duration LOOK = Duration.ofSeconds(5);

  /// The time for which a stream's response collects events where no change signal ends the wait,
  /// so that a client that reconnects at once does not use up its rate limit.
  private static final Duration COLLECT = Duration.ofSeconds(2);

  private final SessionEvents happenings;
  private final Sessions sessions;
  private final History history;
  private final Downloads downloads;
  private final ChangeSignal signal;
  private final SessionReader.Shared shared;
  private final JsonMapper json;

  LiveEvents(
      SessionEvents happenings,
      Sessions sessions,
      History history,
      Downloads downloads,
      ChangeSignal signal,
      JsonMapper json) {
    this.happenings = happenings;
    this.sessions = sessions;
    this.history = history;
    this.downloads = downloads;
    this.signal = signal;
    this.shared = new SessionReader.Shared(signal.isComplete());
    this.json = json;
  }

  /// @param thread the only one to follow; empty: the whole session
  EventResponse follow(Links links, SessionKey session, Optional<TurnId> thread, EventQuery query) {
    try (ChangeSignal.Watch watch = signal.watch(session)) {
      SessionReader reader = new SessionReader(happenings, sessions, shared, session, watch);
      EventWriter pen =
          new EventWriter(reader, links, session.id(), query, history, downloads, json);
      EventFollower following = new EventFollower(reader, thread, query, pen);
      boolean hasNext = signal.isComplete() && query.isStream();
      PollSchedule pace = new PollSchedule(signal.isComplete(), query.longest(), collect(query));
      RetryDeadline.run(LOOK, following::begin);
      while (!following.isOver() && !signal.isOver() && pace.goesOn(!pen.isEmpty())) {
        LargeReads.forget();
        pace.pause(watch, following.isBehind());
        if (pace.isBeat()) {
          pen.beat();
        }
        RetryDeadline.run(LOOK, () -> following.look(hasNext));
      }
      return pen.end(following.reason(), following.cursor());
    }
  }

  private Duration collect(EventQuery query) {
    return !signal.isComplete() && query.isStream() && query.after().isPresent()
        ? COLLECT
        : Duration.ZERO;
  }
}
