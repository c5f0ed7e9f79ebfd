package agentsessions.runner.network.git;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import org.eclipse.jetty.util.BufferUtil;

/// The answer of a host to a push, which is heard on its way to git: at its end the branch is told
/// what became of the commit.
final class PushAnswer {
  /// A report is short; an answer that is longer than this with all its messages says nothing.
  private static final int MOST = 1024 * 1024;

  private final OwnBranch branch;
  private final PushRequest push;
  private final ByteArrayOutputStream heard = new ByteArrayOutputStream();
  private boolean isTooLong;

  PushAnswer(OwnBranch branch, PushRequest push) {
    this.branch = branch;
    this.push = push;
  }

  synchronized void hear(ByteBuffer piece) {
    isTooLong |= heard.size() + piece.remaining() > MOST;
    if (!isTooLong) {
      heard.writeBytes(BufferUtil.toArray(piece));
    }
  }

  /// Nothing is said of an answer that did not come to its end.
  synchronized void end() {
    if (isTooLong) {
      return;
    }
    switch (PushReport.of(heard.toByteArray(), push)) {
      case TAKEN -> branch.confirm(push.newId());
      case REFUSED -> branch.forget(push.newId());
      case UNKNOWN -> {}
    }
  }
}
