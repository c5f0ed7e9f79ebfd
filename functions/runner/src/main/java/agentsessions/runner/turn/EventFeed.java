package agentsessions.runner.turn;

import agentsessions.runner.agent.Event;
import agentsessions.runner.agent.Mask;
import agentsessions.runner.control.Deadline;
import agentsessions.runner.control.ServiceClient;
import agentsessions.wire.RunnerMessages;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/// The queue of a turn's transcript events on their way to the service, sent in order and in
/// batches while the agent works.
///
/// The agent never waits for it: events that do not fit into the queue are left out and counted,
/// and the end of the turn waits only for a limited time. After 5,000 events a last one says that
/// the rest is not recorded.
final class EventFeed implements Consumer<Event> {
  private static final int BATCH_CHARACTERS = 600_000;
  private static final int WAITING_CHARACTERS = 4 * 1024 * 1024;
  private static final int WAITING = 2000;
  private static final int MOST = 5000;
  private static final Event LAST =
      Event.message(
          "The transcript ends here: no more than %,d messages and tool calls of a turn are recorded."
              .formatted(MOST));

  private final ServiceClient service;
  private final Mask mask;
  private final Deque<Event> waiting = new ArrayDeque<>();
  private final boolean goesOn;
  private final Thread sender;
  private int characters;
  private int leftOut;
  private int accepted;
  private int sent;
  private boolean ended;

  /// @param mask hides secrets in all events
  /// @param goesOn whether events of an earlier runner precede these
  EventFeed(ServiceClient service, Mask mask, boolean goesOn) {
    this.service = service;
    this.mask = mask;
    this.goesOn = goesOn;
    this.sender = Thread.ofVirtual().name("events").start(this::send);
  }

  @Override
  public synchronized void accept(Event event) {
    if (accepted < MOST) {
      keep(event);
    } else if (accepted == MOST) {
      keep(LAST);
    } else {
      leftOut++;
    }
  }

  /// Adds an event of the runner itself, beyond the limit for the agent's.
  synchronized void note(Event event) {
    keep(event);
  }

  private void keep(Event said) {
    Event event = said.masked(mask);
    if (ended
        || waiting.size() >= WAITING
        || characters + event.text().length() > WAITING_CHARACTERS) {
      leftOut++;
      return;
    }
    accepted++;
    waiting.add(event);
    characters += event.text().length();
    notifyAll();
  }

  /// Waits until all events have been sent, but not longer than this; returns the number of those
  /// that were not.
  synchronized int flush(Duration time) throws InterruptedException {
    Deadline end = Deadline.of(time);
    while (!waiting.isEmpty() && !end.isUp()) {
      wait(Math.max(1, end.remaining().toMillis()));
    }
    return waiting.size();
  }

  /// Sends the remaining events within the time, and returns the number of events that were never
  /// sent.
  int end(Duration time) throws InterruptedException {
    synchronized (this) {
      ended = true;
      notifyAll();
    }
    boolean done = sender.join(time);
    sender.interrupt();
    synchronized (this) {
      return done ? leftOut + waiting.size() : leftOut + Math.max(1, waiting.size());
    }
  }

  private void send() {
    try {
      if (goesOn) {
        begin(service.events());
      }
      for (List<Event> batch = next(); !batch.isEmpty(); batch = next()) {
        service.events(sent, batch);
        remove(batch);
      }
    } catch (IOException lost) {
      // Also a CallRefused, as once the turn is not live any more.
      discard();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void begin(int recorded) {
    sent = recorded;
    accepted += recorded;
  }

  /// The next batch, which stays in the queue until it has arrived; empty at the end.
  private synchronized List<Event> next() throws InterruptedException {
    while (waiting.isEmpty() && !ended) {
      wait();
    }
    List<Event> batch = new ArrayList<>();
    int size = 0;
    for (Event event : waiting) {
      size += event.text().length();
      if (batch.size() == RunnerMessages.Events.MOST
          || (size > BATCH_CHARACTERS && !batch.isEmpty())) {
        break;
      }
      batch.add(event);
    }
    return batch;
  }

  private synchronized void remove(List<Event> batch) {
    for (Event event : batch) {
      waiting.remove();
      characters -= event.text().length();
      sent++;
    }
    notifyAll();
  }

  private synchronized void discard() {
    leftOut += waiting.size();
    waiting.clear();
    ended = true;
    notifyAll();
  }
}
