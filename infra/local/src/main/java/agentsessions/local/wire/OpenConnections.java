package agentsessions.local.wire;

import java.io.IOException;
import java.nio.channels.SelectableChannel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.io.SelectorManager;

/// The open connections of one listener, from acceptance on.
///
/// When Jetty stops, it closes the connections it serves, but not one that it has just accepted:
/// that would stay open, and its client would wait for a response for ever.
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

  /// Closes the open connections, and each one that is still accepted afterwards.
  void stop() {
    stopped = true;
    open.forEach(OpenConnections::close);
  }

  private static void close(SelectableChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      // It is closed already.
    }
  }
}
