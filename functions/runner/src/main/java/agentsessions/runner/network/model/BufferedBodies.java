package agentsessions.runner.network.model;

import agentsessions.runner.usage.ModelCall;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.content.ByteBufferContentSource;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Promise;
import org.jspecify.annotations.Nullable;

/// A buffer for whole request bodies, at most 32 MiB each and 64 MiB together, so that the model
/// can be read before the call and a chat request can be made to ask for its usage. Larger requests
/// are forwarded as a stream.
final class BufferedBodies {
  private static final int MOST = 32 * 1024 * 1024;
  private static final long MOST_AT_ONCE = 2L * MOST;

  private final AtomicLong taken = new AtomicLong();

  /// The next handler of a request.
  interface Onward {
    boolean handle(Request agent, Response answer, Callback callback);
  }

  /// Reserves memory for a request's body, if its length is known and fits.
  boolean takes(Request agent) {
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
    Callback leaving = Callback.from(callback, () -> taken.addAndGet(-agent.getLength()));
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
