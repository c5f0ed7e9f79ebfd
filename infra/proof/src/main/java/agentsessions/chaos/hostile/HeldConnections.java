package agentsessions.chaos.hostile;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/// Held connections to ports of this machine, each with the beginning of a request that is never
/// completed; the oldest are closed when there are too many.
final class HeldConnections implements AutoCloseable {
  private final Deque<List<SocketChannel>> held = new ArrayDeque<>();

  /// Opens so many more, each with this beginning.
  void open(int port, int count, String beginning) throws IOException {
    List<SocketChannel> connections = new ArrayList<>();
    held.addLast(connections);
    for (int i = 0; i < count; i++) {
      connections.add(begin(port, beginning));
    }
  }

  /// Keeps the connections of the last so many calls and closes the others.
  void keep(int calls) throws IOException {
    while (held.size() > calls) {
      close(held.removeFirst());
    }
  }

  @Override
  public void close() throws IOException {
    keep(0);
  }

  private static SocketChannel begin(int port, String beginning) throws IOException {
    SocketChannel connection =
        SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    connection.configureBlocking(false);
    try {
      connection.write(ByteBuffer.wrap(beginning.getBytes(ISO_8859_1)));
    } catch (IOException e) {
      // The server has closed it already, in favour of another connection.
    }
    return connection;
  }

  private static void close(List<SocketChannel> connections) throws IOException {
    for (SocketChannel connection : connections) {
      connection.close();
    }
  }
}
