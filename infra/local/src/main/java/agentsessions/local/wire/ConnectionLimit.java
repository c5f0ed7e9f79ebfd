package agentsessions.local.wire;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/// The connection limit of one listener: a maximum number of connections, and a time limit for each
/// to send a request.
///
/// At the limit, a new connection displaces the one that has been idle longest. Connections without
/// a key are displaced first while they hold more than a fifth of the places, otherwise those with
/// a key; each new connection begins without one. A connection whose request is being answered is
/// never displaced. So a client that only holds connections, with or without keys, locks out no
/// other: each new connection is accepted, and if it sends its request at once it is answered.
///
/// Thread-safe; connections are closed outside of the lock.
public final class ConnectionLimit {
  private static final int PART_FOR_STRANGERS = 5;

  private final int most;
  private final long strangerNanos;
  private final long knownNanos;
  private final LongSupplier nanos;

  /// Idle connections without a key and the time since when they are idle, longest first.
  private final Map<Closeable, Long> strangers = new LinkedHashMap<>();

  private final Map<Closeable, Long> known = new LinkedHashMap<>();

  /// Connections whose request is being answered, and whether they have shown a key.
  private final Map<Closeable, Boolean> busy = new HashMap<>();

  /// @param most the limit of connections
  /// @param stranger the idle limit before a key is shown
  /// @param known the idle limit with a key, also between two requests
  /// @param nanos a clock such as `System::nanoTime`
  public ConnectionLimit(int most, Duration stranger, Duration known, LongSupplier nanos) {
    this.most = most;
    this.strangerNanos = stranger.toNanos();
    this.knownNanos = known.toNanos();
    this.nanos = nanos;
  }

  /// Adds a connection. At the limit this closes another one, or the new one itself.
  public void came(Closeable guest) {
    admit(guest).ifPresent(ConnectionLimit::close);
  }

  /// Marks a connection as one with a key.
  public synchronized void know(Closeable guest) {
    if (strangers.remove(guest) != null) {
      known.put(guest, nanos.getAsLong());
    } else {
      busy.computeIfPresent(guest, (_, _) -> true);
    }
  }

  /// Stops the idle time: the whole request has arrived.
  public synchronized void answering(Closeable guest) {
    if (strangers.remove(guest) != null) {
      busy.put(guest, false);
    } else if (known.remove(guest) != null) {
      busy.put(guest, true);
    }
  }

  /// Starts the idle time: the client is to send the rest of a body, or the next request.
  public synchronized void waiting(Closeable guest) {
    Boolean hasKey = busy.remove(guest);
    if (hasKey != null) {
      (hasKey ? known : strangers).put(guest, nanos.getAsLong());
    }
  }

  /// Restarts the idle time: a part of a long transfer has passed. Applies to connections with a
  /// key.
  public synchronized void moved(Closeable guest) {
    if (known.remove(guest) != null) {
      known.put(guest, nanos.getAsLong());
    }
  }

  public synchronized void left(Closeable guest) {
    strangers.remove(guest);
    known.remove(guest);
    busy.remove(guest);
  }

  /// Closes the connections that have been idle too long; to be called about once a second.
  public void tidy() {
    late().forEach(ConnectionLimit::close);
  }

  public synchronized int count() {
    return strangers.size() + known.size() + busy.size();
  }

  private synchronized Optional<Closeable> admit(Closeable guest) {
    strangers.put(guest, nanos.getAsLong());
    if (count() <= most) {
      return Optional.empty();
    }
    Optional<Closeable> goes =
        whoGoFirst()
            .flatMap(waiting -> waiting.keySet().stream())
            .filter(other -> other != guest)
            .findFirst()
            .or(() -> Optional.of(guest));
    goes.ifPresent(this::left);
    return goes;
  }

  private Stream<Map<Closeable, Long>> whoGoFirst() {
    return strangers.size() > most / PART_FOR_STRANGERS
        ? Stream.of(strangers, known)
        : Stream.of(known, strangers);
  }

  private synchronized List<Closeable> late() {
    long now = nanos.getAsLong();
    List<Closeable> late =
        Stream.concat(
                waitingSince(strangers, now - strangerNanos), waitingSince(known, now - knownNanos))
            .toList();
    late.forEach(this::left);
    return late;
  }

  private static Stream<Closeable> waitingSince(Map<Closeable, Long> guests, long nanos) {
    return guests.entrySet().stream()
        .filter(entry -> entry.getValue() - nanos < 0)
        .map(Map.Entry::getKey);
  }

  private static void close(Closeable guest) {
    try {
      guest.close();
    } catch (IOException e) {
      // It is closed already.
    }
  }
}
