package agentsessions.local.front;

import agentsessions.local.wire.HttpListener;
import java.nio.ByteBuffer;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/// A download with a minimum rate: each completed write restarts the idle time of its connection,
/// which is a minute with a signed link.
final class PacedDownload extends Response.Wrapper {
  private final HttpListener listener;

  PacedDownload(Request request, Response response, HttpListener listener) {
    super(request, response);
    this.listener = listener;
  }

  @Override
  public void write(boolean last, @Nullable ByteBuffer content, Callback callback) {
    super.write(last, content, Callback.from(callback, () -> listener.moved(getRequest())));
  }
}
