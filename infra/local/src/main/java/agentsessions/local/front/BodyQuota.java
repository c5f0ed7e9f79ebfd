package agentsessions.local.front;

import agentsessions.local.front.HttpMessage.Request;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// The memory quota of request bodies, or of response bodies: a limit of bytes held at once, with a
/// lower limit for clients that have shown no key.
///
/// A request's bytes count from their arrival until it is answered, since a function holds several
/// copies; a response's until it has been sent. A body that exceeds the quota waits. When its wait
/// is over, the connection is closed whose transfer began first and has lasted longer than that; if
/// there is none, the new request is refused with 503. So clients that send or read slowly lock out
/// no other.
final class BodyQuota {
  private static final int CHUNK = 16 << 10;

  /// The size up to which a body does not count, so that a runner's usual reports always pass.
  /// Their sum is bounded by the number of connections.
  private static final int FREE = 4 << 10;

  private final long most;
  private final long mostUnauthenticated;
  private final long timeoutNanos;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final SequencedSet<Body> coming = new LinkedHashSet<>();
  private long held;
  private long heldUnauthenticated;
  private long waiting;

  /// @param most the limit of bytes
  /// @param mostUnauthenticated the limit of bytes without a key
  BodyQuota(long most, long mostUnauthenticated, Duration timeout) {
    this.most = most;
    this.mostUnauthenticated = mostUnauthenticated;
    this.timeoutNanos = timeout.toNanos();
  }

  /// Reads a body, which counts until it is closed.
  ///
  /// @param limit of this body, in bytes; 0: it is not read
  /// @param known whether a key was shown
  /// @throws GatewayResponse 413 if it is larger, 503 if the quota is used up, 400 if it does not
  ///   arrive
  Body read(Request request, int limit, boolean known) {
    if (limit > 0 && request.declaredLength() > limit) {
      throw GatewayResponse.bodyTooLarge(limit);
    }
    Body body = new Body(known, request.sender().connection());
    try {
      body.fill(request.body(), limit);
      request.sender().answering().run();
      return body;
    } catch (IOException e) {
      body.close();
      throw GatewayResponse.badRequest("The body could not be read");
    } catch (RuntimeException e) {
      body.close();
      throw e;
    }
  }

  /// Counts the body of a response until it is closed, which is when it has been sent. The bytes
  /// are in memory already, so only a few responses may wait.
  ///
  /// @throws GatewayResponse 503 if the quota is used up
  Body hold(int length, Closeable connection) {
    Body body = new Body(true, connection);
    if (length > FREE) {
      await(body, length);
    }
    return body;
  }

  /// The same for a response that must be sent: slow transfers are closed at once to make room, and
  /// without any the quota is exceeded.
  Body holdAnyway(int length, Closeable connection) {
    Body body = new Body(true, connection);
    if (length > FREE) {
      lock.lock();
      try {
        while (!fits(body, length) && slowest(body).isPresent()) {
          drop(slowest(body).get());
        }
        enter(body, length);
      } finally {
        lock.unlock();
      }
    }
    return body;
  }

  private void await(Body body, int length) {
    lock.lock();
    try {
      waiting += length;
      if (!fits(body, length) && waiting > most / 2) {
        throw GatewayResponse.busy();
      }
      makeRoom(body, length);
      enter(body, length);
    } catch (IOException stopped) {
      throw GatewayResponse.busy();
    } finally {
      waiting -= length;
      lock.unlock();
    }
  }

  /// The body of one request or response.
  final class Body implements AutoCloseable {
    private final boolean known;
    private final Closeable connection;
    private final long since = System.nanoTime();
    private byte[] bytes = {};
    private long counted;
    private boolean dropped;

    private Body(boolean known, Closeable connection) {
      this.known = known;
      this.connection = connection;
    }

    /// The bytes, handed over once, so that they are not held beside what is made of them.
    byte[] take() {
      byte[] taken = bytes;
      bytes = new byte[0];
      return taken;
    }

    @Override
    public void close() {
      free(this);
    }

    private void mustBeWanted() throws IOException {
      if (dropped) {
        throw new IOException("it made room for another one");
      }
    }

    private void fill(InputStream stream, int limit) throws IOException {
      if (limit == 0) {
        return;
      }
      ByteArrayOutputStream read = new ByteArrayOutputStream();
      byte[] chunk = new byte[CHUNK];
      for (int count = stream.read(chunk); count >= 0; count = stream.read(chunk)) {
        if (read.size() + count > limit) {
          throw GatewayResponse.bodyTooLarge(limit);
        }
        if (read.size() + count > FREE) {
          grow(this, count);
        }
        read.write(chunk, 0, count);
      }
      arrived(this);
      bytes = read.toByteArray();
    }
  }

  private void grow(Body body, int count) throws IOException {
    lock.lock();
    try {
      makeRoom(body, count);
      enter(body, count);
    } finally {
      lock.unlock();
    }
  }

  private void makeRoom(Body body, int count) throws IOException {
    try {
      long remaining = timeoutNanos;
      while (!fits(body, count)) {
        body.mustBeWanted();
        if (remaining > 0) {
          remaining = changed.awaitNanos(remaining);
        } else {
          drop(slowest(body).orElseThrow(GatewayResponse::busy));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  private void enter(Body body, int count) {
    coming.add(body);
    count(body, count);
  }

  private boolean fits(Body body, int count) {
    return !body.dropped
        && held + count <= most
        && (body.known || heldUnauthenticated + count <= mostUnauthenticated);
  }

  private void count(Body body, long count) {
    body.counted += count;
    held += count;
    heldUnauthenticated += body.known ? 0 : count;
  }

  /// The oldest transfer that has outlasted the wait. A client without a key never displaces one
  /// with a key.
  private Optional<Body> slowest(Body newcomer) {
    long since = System.nanoTime() - timeoutNanos;
    return coming.stream()
        .filter(body -> body != newcomer && body.since - since < 0)
        .filter(body -> newcomer.known || !body.known)
        .findFirst();
  }

  private void drop(Body body) {
    body.dropped = true;
    free(body);
    try {
      body.connection.close();
    } catch (IOException e) {
      // It is closed already.
    }
  }

  private void arrived(Body body) throws IOException {
    lock.lock();
    try {
      coming.remove(body);
      body.mustBeWanted();
    } finally {
      lock.unlock();
    }
  }

  private void free(Body body) {
    lock.lock();
    try {
      coming.remove(body);
      count(body, -body.counted);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
