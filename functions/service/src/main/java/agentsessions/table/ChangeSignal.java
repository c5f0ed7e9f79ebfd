package agentsessions.table;

import agentsessions.session.id.SessionKey;
import io.micronaut.context.annotation.Property;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/// The signal that a session has changed: every transaction of this process wakes the threads that
/// wait here for one of its keys. Where several processes change sessions, as on Lambda, changes of
/// the others are not seen.
@Singleton
public final class ChangeSignal {
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

  private final Map<String, Set<Watch>> watches = new ConcurrentHashMap<>();
  private final boolean complete;
  private volatile boolean closed;

  /// @param complete whether all changes of sessions are made in this process
  public ChangeSignal(@Property(name = "one.process", defaultValue = "false") boolean complete) {
    this.complete = complete;
  }

  /// Whether every change of a session is signalled here.
  public boolean isComplete() {
    return complete;
  }

  /// The longest sensible wait before the next look: none where other processes make changes that
  /// are not seen here.
  public Duration longestWait() {
    return complete ? LONGEST_WAIT : Duration.ZERO;
  }

  /// Watches all changes of a session from now on. A thread that looks after this call, and again
  /// whenever it is woken, misses nothing.
  public Watch watch(SessionKey session) {
    return watch(session, _ -> true);
  }

  /// The same for a part of the session's items.
  public Watch watch(SessionKey session, Predicate<Layout.Key> items) {
    Watch watch = new Watch(Layout.partition(session), items);
    watches.compute(
        watch.partition,
        (_, others) -> {
          Set<Watch> all = others == null ? ConcurrentHashMap.newKeySet() : others;
          all.add(watch);
          return all;
        });
    return watch;
  }

  /// Wakes the watches of keys that a transaction may have written.
  void written(List<Layout.Key> keys) {
    keys.forEach(key ->
        watches.getOrDefault(key.pk(), Set.of()).stream()
            .filter(watch -> watch.items.test(key))
            .forEach(Watch::wake));
  }

  /// Whether waiting has ended for good.
  public boolean isOver() {
    return closed;
  }

  /// Ends all waits: the process is about to stop.
  @PreDestroy
  public void close() {
    closed = true;
    watches.values().forEach(all -> all.forEach(Watch::wake));
  }

  /// A watch, for one thread.
  public final class Watch implements AutoCloseable {
    private final String partition;
    private final Predicate<Layout.Key> items;
    private final Semaphore woken = new Semaphore(0);

    private Watch(String partition, Predicate<Layout.Key> items) {
      this.partition = partition;
      this.items = items;
    }

    /// Waits for a change since the last wait, or since the watch began; false if none came in
    /// time, or if waiting has ended for good.
    public boolean await(Duration most) {
      try {
        boolean heard = !closed && woken.tryAcquire(most.toNanos(), TimeUnit.NANOSECONDS);
        woken.drainPermits();
        return heard && !closed;
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
        throw new Unavailable("a wait for changes", stopped);
      }
    }

    @Override
    public void close() {
      watches.computeIfPresent(
          partition,
          (_, all) -> {
            all.remove(this);
            return all.isEmpty() ? null : all;
          });
    }

    private void wake() {
      woken.release();
    }
  }
}
