package agentsessions.api.events;

import agentsessions.session.Refusal;
import agentsessions.session.event.EventPosition;
import agentsessions.session.event.SessionEvent;
import agentsessions.session.id.RequestId;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.TurnId;
import agentsessions.session.request.Request;
import agentsessions.store.event.SessionEvents;
import agentsessions.store.message.MessageRow;
import agentsessions.store.request.Requests;
import agentsessions.store.session.Sessions;
import agentsessions.table.ChangeSignal;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// The reads of one request for events. Where the change signal reports every change, what was read
/// since the last one serves all who watch the session, whatever their positions and filters.
final class SessionReader {
  /// The number of events that are read together.
  private static final int PAGE = 100;

  /// The longest text that is kept for others, in characters: what is kept then has a few megabytes
  /// at most.
  private static final int KEPT = 32 * 1024;

  private final SessionEvents events;
  private final Sessions sessions;
  private final Requests requests;
  private final Shared shared;
  private final SessionKey key;
  private final ChangeSignal.Watch watch;

  /// What the requests of this process share.
  ///
  /// @param complete whether every change is signalled; nothing is shared otherwise
  record Shared(
      boolean complete,
      SharedReads<Optional<SessionEvents.Seen>> looks,
      SharedReads<SessionEvents.Found> pages,
      SharedReads<Optional<Sessions.Loaded>> sessions,
      SharedReads<Optional<Request>> requests,
      SharedReads<String> texts) {
    Shared(boolean complete) {
      this(
          complete,
          new SharedReads<>(),
          new SharedReads<>(),
          new SharedReads<>(),
          new SharedReads<>(),
          new SharedReads<>());
    }
  }

  /// A read of a session as it is since its last change.
  private record Read(long version, Object what) {}

  private record Look(Optional<TurnId> only, Optional<TurnId> expected) {}

  /// @param until the position up to which there are events
  private record Page(
      EventPosition until,
      Optional<EventPosition> place,
      SessionEvents.Wanted wanted,
      boolean alone) {}

  SessionReader(
      SessionEvents events,
      Sessions sessions,
      Requests requests,
      Shared shared,
      SessionKey key,
      ChangeSignal.Watch watch) {
    this.events = events;
    this.sessions = sessions;
    this.requests = requests;
    this.shared = shared;
    this.key = key;
    this.watch = watch;
  }

  Optional<SessionEvents.Seen> look(Optional<TurnId> only, Optional<TurnId> expected) {
    return once(
        shared.looks(),
        new Look(only, expected),
        () -> events.poll(key, only, expected),
        Optional::isPresent);
  }

  Refusal notFound() {
    return Refusal.notFound(sessions.load(key).isPresent() ? "Thread" : "Session");
  }

  Optional<SessionEvents.Moment> moment(Optional<TurnId> only) {
    return events.moment(key, only);
  }

  SessionEvents.Found after(
      SessionEvents.Seen now,
      Optional<EventPosition> place,
      SessionEvents.Wanted wanted,
      boolean alone) {
    return once(
        shared.pages(),
        new Page(SessionEvents.after(now.turn()), place, wanted, alone),
        () -> events.after(now, place, wanted, alone, PAGE),
        found -> found.complete() && isSmall(found));
  }

  Optional<Sessions.Loaded> session() {
    return once(shared.sessions(), "", () -> sessions.loadWithPlans(key), Optional::isPresent);
  }

  Optional<Request> request(RequestId id) {
    return once(
        shared.requests(),
        id,
        () -> requests.find(key, id),
        found -> found.filter(request -> request.input().length() <= KEPT).isPresent());
  }

  /// The JSON of something that is the same for all.
  String text(Object what, Supplier<String> write) {
    return once(shared.texts(), what, write, text -> text.length() <= KEPT);
  }

  private <V> V once(SharedReads<V> reads, Object what, Supplier<V> read, Predicate<V> lasts) {
    return shared.complete()
        ? reads.once(new Read(watch.version(), what), read, lasts)
        : read.get();
  }

  private static boolean isSmall(SessionEvents.Found found) {
    return found.events().stream().mapToLong(SessionReader::size).sum() <= KEPT;
  }

  private static long size(SessionEvent event) {
    return event instanceof SessionEvent.MessageCreated created
        ? MessageRow.bytes(created.message().text())
        : 0;
  }
}
