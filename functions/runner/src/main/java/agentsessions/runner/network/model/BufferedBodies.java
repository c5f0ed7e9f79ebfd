package agentsessions.runner.network.model;

import agentsessions.runner.usage.ModelCall;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.io.content.ByteBufferContentSource;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Promise;
import org.jspecify.annotations.Nullable;

/// A buffer for whole request bodies of one turn, at most 32 MiB each and 64 MiB together, so that
/// the model can be read before the call and a chat request can be made to ask for its usage.
/// Larger requests are forwarded as a stream.
///
/// All turns of the process share 96 MiB for their bodies, and wait for them. Bodies of up to 2 MiB
/// of a turn together are outside of it, so that no turn can keep another's usual requests waiting.
final class BufferedBodies implements AutoCloseable {
  private static final int MOST = 32 * 1024 * 1024;
  private static final long MOST_AT_ONCE = 2L * MOST;

  private static final long OWN = 2L * 1024 * 1024;
  private static final ByteBudget SHARED = new ByteBudget(96L * 1024 * 1024);

  private final AtomicLong own = new AtomicLong(OWN);
  private final AtomicLong taken = new AtomicLong();

  /// Of the shared bytes; guarded by this, as is the next.
  private long held;

  private boolean closed;

  /// The next handler of a request.
  interface Onward {
    boolean handle(Request agent, Response answer, Callback callback);
  }

  /// Reserves memory for a request's body, if its length is known and fits.
  boolean reserve(Request agent) {
    long length = agent.getLength();
    if (length <= 0 || length > MOST || agent.getHeaders().contains(HttpHeader.CONTENT_ENCODING)) {
      return false;
    }
    boolean fits = taken.addAndGet(length) <= MOST_AT_ONCE;
    if (!fits) {
      taken.addAndGet(-length);
    }
    return fits;
  }

  /// Reads the whole body and its model, and forwards it; a chat request with the option for usage.
  void ask(Request agent, Response answer, Callback callback, ModelCall call, Onward onward) {
    long length = agent.getLength();
    if (reserveOwn(length)) {
      Callback leaving = Callback.from(callback, () -> leave(length, own::addAndGet));
      read(agent, answer, leaving, call, onward);
    } else {
      AtomicBoolean waits = new AtomicBoolean(true);
      agent.addIdleTimeoutListener(_ -> !waits.get());
      Callback leaving = Callback.from(callback, () -> leave(length, this::giveBack));
      SHARED.take(
          length,
          () -> {
            waits.set(false);
            if (holds(length)) {
              read(agent, answer, leaving, call, onward);
            } else {
              callback.failed(new EofException("the turn has ended"));
            }
          });
    }
  }

  /// Gives back what calls hold that never ended.
  @Override
  public void close() {
    long left;
    synchronized (this) {
      closed = true;
      left = held;
      held = 0;
    }
    SHARED.giveBack(left);
  }

  private boolean holds(long length) {
    synchronized (this) {
      if (!closed) {
        held += length;
        return true;
      }
    }
    SHARED.giveBack(length);
    return false;
  }

  /// Outside of the lock, since it goes on with other turns' calls.
  private void giveBack(long length) {
    synchronized (this) {
      if (closed) {
        return;
      }
      held -= length;
    }
    SHARED.giveBack(length);
  }

  private boolean reserveOwn(long length) {
    boolean fits = own.addAndGet(-length) >= 0;
    if (!fits) {
      own.addAndGet(length);
    }
    return fits;
  }

  private void leave(long length, LongConsumer to) {
    taken.addAndGet(-length);
    to.accept(length);
  }

  private static void read(
      Request agent, Response answer, Callback leaving, ModelCall call, Onward onward) {
    Content.Source.asByteBuffer(
        agent,
        Promise.from(
            body -> {
              byte[] whole = BufferUtil.toArray(body);
              String _ = call.model(whole);
              byte[] changed = call.withUsage(whole).orElse(whole);
              onward.handle(new Replaced(agent, changed), answer, leaving);
            },
            failure -> Response.writeError(agent, answer, leaving, failure)));
  }

  /// The request with a changed body.
  private static final class Replaced extends Request.Wrapper {
    private final Content.Source body;
    private final HttpFields headers;

    Replaced(Request agent, byte[] body) {
      super(agent);
      this.body = new ByteBufferContentSource(ByteBuffer.wrap(body));
      this.headers =
          HttpFields.build(agent.getHeaders())
              .put(HttpHeader.CONTENT_LENGTH, body.length)
              .remove(HttpHeader.EXPECT)
              .asImmutable();
    }

    @Override
    public HttpFields getHeaders() {
      return headers;
    }

    @Override
    public long getLength() {
      return body.getLength();
    }

    @Override
    public Content.@Nullable Chunk read() {
      return body.read();
    }

    @Override
    public void demand(Runnable onContent) {
      body.demand(onContent);
    }
  }
}
