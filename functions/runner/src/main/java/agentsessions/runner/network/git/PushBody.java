package agentsessions.runner.network.git;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.SequenceInputStream;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;

/// A request whose body was partly read, with its whole body again: the beginning that was read,
/// and the rest.
final class PushBody extends Request.Wrapper {
  private final Content.Source whole;

  PushBody(Request push, byte[] head, InputStream rest) {
    super(push);
    this.whole = Content.Source.from(new SequenceInputStream(new ByteArrayInputStream(head), rest));
  }

  @Override
  public Content.Chunk read() {
    return whole.read();
  }

  @Override
  public void demand(Runnable more) {
    whole.demand(more);
  }

  @Override
  public void fail(Throwable failure) {
    whole.fail(failure);
  }
}
