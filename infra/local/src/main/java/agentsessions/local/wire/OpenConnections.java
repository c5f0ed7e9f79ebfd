package agentsessions.local.wire;

import java.io.IOException;
import java.nio.channels.SelectableChannel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.io.SelectorManager;

/// The connections of one listener from their acceptance to their end.
///
/// Jetty closes those it serves when it stops, but forgets one that it has just accepted: that
/// would stay open, and its client would wait for an answer for ever.
final class OpenConnections implements SelectorManager.AcceptListener {
  private final Set<SelectableChannel> open = ConcurrentHashMap.newKeySet();
  private volatile boolean stopped;

  @Override
  public void onAccepting(SelectableChannel channel) {
    open.add(channel);
    if (stopped) {
      close(channel);
    }
  }

  @Override
  public void onAcceptFailed(SelectableChannel channel, Throwable why) {
    open.remove(channel);
  }

  @Override
  public void onClosed(SelectableChannel channel) {
    open.remove(channel);
  }

  /// Closes what is left, and what is accepted from now on.
  void stop() {
    stopped = true;
    open.forEach(OpenConnections::close);
  }

  private static void close(SelectableChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      // Gone is gone.
    }
  }
}
