package agentsessions.local.front;

import agentsessions.local.wire.HttpListener;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;

/// An upload with a minimum rate: each 64 KiB restarts the idle time of its connection, which is a
/// minute with a signed link.
///
/// It has no `Expect` header, because this server itself asks the client for the body when the
/// proxy begins to read.
final class PacedUpload extends Request.Wrapper {
  private static final long PART = 64 << 10;

  private final HttpListener listener;
  private final HttpFields headers;
  private long sinceThen;

  PacedUpload(Request request, HttpListener listener) {
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
