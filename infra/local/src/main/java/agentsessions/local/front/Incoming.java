package agentsessions.local.front;

import agentsessions.local.wire.HttpListener;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;

/// A request with a long body, which is waited for as long as parts of it come: whoever sends
/// slower than 64 KiB a minute has kept us waiting too long.
///
/// That its sender waits until we want the body (`Expect`) is between the two of us: it is wanted
/// as soon as it is read, and whom it is handed on to is not asked.
final class Incoming extends Request.Wrapper {
  private static final long PART = 64 << 10;

  private final HttpListener listener;
  private final HttpFields headers;
  private long sinceThen;

  Incoming(Request request, HttpListener listener) {
    super(request);
    this.listener = listener;
    this.headers = HttpFields.build(request.getHeaders()).remove(HttpHeader.EXPECT).asImmutable();
  }

  @Override
  public HttpFields getHeaders() {
    return headers;
  }

  @Override
  public Content.Chunk read() {
    Content.Chunk chunk = super.read();
    if (chunk != null) {
      came(chunk);
    }
    return chunk;
  }

  private void came(Content.Chunk chunk) {
    sinceThen += chunk.remaining();
    if (chunk.isLast()) {
      listener.answering(getWrapped());
    } else if (sinceThen >= PART) {
      sinceThen = 0;
      listener.moved(getWrapped());
    }
  }
}
