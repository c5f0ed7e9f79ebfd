package agentsessions.table;

import static java.util.Objects.requireNonNull;

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
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// The signal that a session has changed: every transaction of this process wakes the threads that
/// wait here for one of its keys. Where several processes change sessions, as on Lambda, changes of
/// the others are not seen.
@Singleton
public final class ChangeSignal {
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

  private final Map<String, Watched> watched = new ConcurrentHashMap<>();

  /// The last version given out; none is given out twice.
  private final AtomicLong versions = new AtomicLong();

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

  /// The longest sensible wait before the next read: none where other processes make changes that
  /// are not seen here.
  public Duration longestWait() {
    return complete ? LONGEST_WAIT : Duration.ZERO;
  }

  /// Watches, from now on, all changes of a session that an event can be about. A thread that reads
  /// after this call, and again whenever it is woken, misses none.
  public Watch watch(SessionKey key) {
    return watch(key, item -> !item.isOfRunners());
  }

  /// The same for a part of the session's items.
  public Watch watch(SessionKey key, Predicate<Layout.Key> items) {
    Watch watch = new Watch(Layout.partition(key), items);
    watched.compute(
        watch.partition,
        (_, there) -> {
          Watched all = there == null ? new Watched(versions.incrementAndGet()) : there;
          all.watches.add(watch);
          return all;
        });
    return watch;
  }

  /// Wakes the watches of keys that a transaction may have written. Whoever is woken finds a new
  /// version.
  void written(List<Layout.Key> keys) {
    List<Watched> changed =
        keys.stream()
            .map(Layout.Key::pk)
            .distinct()
            .flatMap(partition -> Stream.ofNullable(watched.get(partition)))
            .toList();
    changed.forEach(all -> all.version = versions.incrementAndGet());
    changed.stream()
        .flatMap(all -> all.watches.stream())
        .filter(watch -> keys.stream().anyMatch(watch::isFor))
        .forEach(Watch::wake);
  }

  /// Whether waiting has ended for good.
  public boolean isOver() {
    return closed;
  }

  /// Ends all waits: the process is about to stop.
  @PreDestroy
  public void close() {
    closed = true;
    watched.values().forEach(all -> all.watches.forEach(Watch::wake));
  }

  /// The watches of one partition, and a number that every write to it changes.
  private static final class Watched {
    private final Set<Watch> watches = ConcurrentHashMap.newKeySet();
    private volatile long version;

    private Watched(long version) {
      this.version = version;
    }
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
      watched.computeIfPresent(
          partition,
          (_, all) -> {
            all.watches.remove(this);
            return all.watches.isEmpty() ? null : all;
          });
    }

    /// A number that is another one after every write to the session, for as long as this watch is
    /// open. Two reads at the same version read the same, where this signal is complete.
    public long version() {
      return requireNonNull(watched.get(partition)).version;
    }

    private boolean isFor(Layout.Key key) {
      return key.pk().equals(partition) && items.test(key);
    }

    private void wake() {
      woken.release();
    }
  }
}
