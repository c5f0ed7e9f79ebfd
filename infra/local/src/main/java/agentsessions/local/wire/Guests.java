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

/// Who is connected to one listener: so many at most, and none for ever without asking.
///
/// When one more comes, the one goes that has kept us waiting longest; those who have shown a key
/// go last, as long as a fifth of the places is left to those who have yet to do so, as everybody
/// has who comes; and who is being answered never goes. So a crowd that only holds connections,
/// with keys or without, keeps nobody out: whoever comes gets in, asks at once, and is answered.
///
/// All methods may be called by many threads; connections are closed outside of its lock.
public final class Guests {
  private static final int PART_FOR_STRANGERS = 5;

  private final int most;
  private final long strangerNanos;
  private final long knownNanos;
  private final LongSupplier nanos;

  /// Since when each keeps us waiting, longest first.
  private final Map<Closeable, Long> strangers = new LinkedHashMap<>();

  private final Map<Closeable, Long> known = new LinkedHashMap<>();

  /// Who is being answered, and whether they have shown a key.
  private final Map<Closeable, Boolean> busy = new HashMap<>();

  /// @param most connections at once
  /// @param stranger how long one may take to ask, before a key is shown
  /// @param known the same with a key, also between two requests
  /// @param nanos a clock such as `System::nanoTime`
  public Guests(int most, Duration stranger, Duration known, LongSupplier nanos) {
    this.most = most;
    this.strangerNanos = stranger.toNanos();
    this.knownNanos = known.toNanos();
    this.nanos = nanos;
  }

  /// A new connection, which may cost another one its place, or find none itself.
  public void came(Closeable guest) {
    admit(guest).ifPresent(Guests::close);
  }

  /// A key was shown.
  public synchronized void know(Closeable guest) {
    if (strangers.remove(guest) != null) {
      known.put(guest, nanos.getAsLong());
    } else {
      busy.computeIfPresent(guest, (_, _) -> true);
    }
  }

  /// The request is there, whole: it is our turn now.
  public synchronized void answering(Closeable guest) {
    if (strangers.remove(guest) != null) {
      busy.put(guest, false);
    } else if (known.remove(guest) != null) {
      busy.put(guest, true);
    }
  }

  /// It is their turn again: to send the rest of a body, or the next request.
  public synchronized void waiting(Closeable guest) {
    Boolean hasKey = busy.remove(guest);
    if (hasKey != null) {
      (hasKey ? known : strangers).put(guest, nanos.getAsLong());
    }
  }

  /// A part of something long has come from them, or was taken: their time begins anew.
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

  /// Closes the connections that have waited too long; to be called about once a second.
  public void tidy() {
    late().forEach(Guests::close);
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
      // Gone is gone.
    }
  }
}
