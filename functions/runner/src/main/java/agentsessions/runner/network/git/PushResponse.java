package agentsessions.runner.network.git;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import org.eclipse.jetty.util.BufferUtil;

/// The response of a host to a push, copied on its way to git: at its end the branch learns whether
/// the host accepted the commit.
final class PushResponse {
  /// A report is short; a longer response, messages included, is not evaluated.
  private static final int MOST = 1024 * 1024;

  private final SessionBranch branch;
  private final PushRequest push;
  private final ByteArrayOutputStream received = new ByteArrayOutputStream();
  private boolean isTooLong;

  PushResponse(SessionBranch branch, PushRequest push) {
    this.branch = branch;
    this.push = push;
  }

  synchronized void hear(ByteBuffer piece) {
    isTooLong |= received.size() + piece.remaining() > MOST;
    if (!isTooLong) {
      received.writeBytes(BufferUtil.toArray(piece));
    }
  }

  /// To be called only for a response that came to its end.
  synchronized void end() {
    if (isTooLong) {
      return;
    }
    switch (PushReport.of(received.toByteArray(), push)) {
      case TAKEN -> branch.confirm(push.newId());
      case REFUSED -> branch.forget(push.newId());
      case UNKNOWN -> {}
    }
  }
}
