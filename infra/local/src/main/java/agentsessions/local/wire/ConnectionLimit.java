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
  private static final int UNAUTHENTICATED_PART = 5;

  private final int most;
  private final long unauthenticatedNanos;
  private final long authenticatedNanos;
  private final LongSupplier nanos;

  /// Idle connections without a key and the time since when they are idle, longest first.
  private final Map<Closeable, Long> unauthenticated = new LinkedHashMap<>();

  private final Map<Closeable, Long> authenticated = new LinkedHashMap<>();

  /// Connections whose request is being answered, and whether they have shown a key.
  private final Map<Closeable, Boolean> busy = new HashMap<>();

  /// @param most the limit of connections
  /// @param unauthenticatedIdle the idle limit before a key is shown
  /// @param authenticatedIdle the idle limit with a key, also between two requests
  /// @param nanos a clock such as `System::nanoTime`
  public ConnectionLimit(
      int most, Duration unauthenticatedIdle, Duration authenticatedIdle, LongSupplier nanos) {
    this.most = most;
    this.unauthenticatedNanos = unauthenticatedIdle.toNanos();
    this.authenticatedNanos = authenticatedIdle.toNanos();
    this.nanos = nanos;
  }

  /// Adds a connection. At the limit this closes another one, or the new one itself.
  public void opened(Closeable connection) {
    admit(connection).ifPresent(ConnectionLimit::close);
  }

  /// Marks a connection as one with a key.
  public synchronized void know(Closeable connection) {
    if (unauthenticated.remove(connection) != null) {
      authenticated.put(connection, nanos.getAsLong());
    } else {
      busy.computeIfPresent(connection, (_, _) -> true);
    }
  }

  /// Stops the idle time: the whole request has arrived.
  public synchronized void answering(Closeable connection) {
    if (unauthenticated.remove(connection) != null) {
      busy.put(connection, false);
    } else if (authenticated.remove(connection) != null) {
      busy.put(connection, true);
    }
  }

  /// Starts the idle time: the client is to send the rest of a body, or the next request.
  public synchronized void waiting(Closeable connection) {
    Boolean hasKey = busy.remove(connection);
    if (hasKey != null) {
      (hasKey ? authenticated : unauthenticated).put(connection, nanos.getAsLong());
    }
  }

  /// Restarts the idle time: a part of a long transfer has passed. Applies to connections with a
  /// key.
  public synchronized void moved(Closeable connection) {
    if (authenticated.remove(connection) != null) {
      authenticated.put(connection, nanos.getAsLong());
    }
  }

  public synchronized void closed(Closeable connection) {
    unauthenticated.remove(connection);
    authenticated.remove(connection);
    busy.remove(connection);
  }

  /// Closes the connections that have been idle too long; to be called about once a second.
  public void tidy() {
    late().forEach(ConnectionLimit::close);
  }

  public synchronized int count() {
    return unauthenticated.size() + authenticated.size() + busy.size();
  }

  private synchronized Optional<Closeable> admit(Closeable connection) {
    unauthenticated.put(connection, nanos.getAsLong());
    if (count() <= most) {
      return Optional.empty();
    }
    Optional<Closeable> goes =
        whoGoFirst()
            .flatMap(waiting -> waiting.keySet().stream())
            .filter(other -> other != connection)
            .findFirst()
            .or(() -> Optional.of(connection));
    goes.ifPresent(this::closed);
    return goes;
  }

  private Stream<Map<Closeable, Long>> whoGoFirst() {
    return unauthenticated.size() > most / UNAUTHENTICATED_PART
        ? Stream.of(unauthenticated, authenticated)
        : Stream.of(authenticated, unauthenticated);
  }

  private synchronized List<Closeable> late() {
    long now = nanos.getAsLong();
    List<Closeable> late =
        Stream.concat(
                waitingSince(unauthenticated, now - unauthenticatedNanos),
                waitingSince(authenticated, now - authenticatedNanos))
            .toList();
    late.forEach(this::closed);
    return late;
  }

  private static Stream<Closeable> waitingSince(Map<Closeable, Long> connections, long nanos) {
    return connections.entrySet().stream()
        .filter(entry -> entry.getValue() - nanos < 0)
        .map(Map.Entry::getKey);
  }

  private static void close(Closeable connection) {
    try {
      connection.close();
    } catch (IOException e) {
      // It is closed already.
    }
  }
}
