package agentsessions.local.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/// A crowd of connections to one port of this machine, held open by a client without a key.
///
/// Each connection sends the beginning of a request and then nothing more.
public final class HeldConnections implements AutoCloseable {
  private static final int PART = 64 << 10;

  /// More bytes than can be in the buffers of both ends, which the kernel limits to 4 and 6 MiB.
  private static final int MOST_ON_ITS_WAY = 16 << 20;

  private final int port;
  private final List<SocketChannel> members = new ArrayList<>();

  /// A crowd without a connection yet.
  public HeldConnections(int port) {
    this.port = port;
  }

  /// Adds connections, each of which sends as much of `beginning` as the socket accepts at once.
  public void join(int count, String beginning) throws IOException {
    for (int i = 0; i < count; i++) {
      join(beginning);
    }
  }

  /// The number of connections that the other side has not closed.
  public long held() {
    return members.stream().filter(HeldConnections::isOpen).count();
  }

  @Override
  public void close() throws IOException {
    for (SocketChannel member : members) {
      member.close();
    }
  }

  /// Whether the other side has closed a connection; waits for the socket's time-out.
  public static boolean isClosed(Socket socket) throws IOException {
    try {
      socket.getOutputStream().write('x');
      return socket.getInputStream().read() < 0;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true; // reset
    }
  }

  private void join(String beginning) throws IOException {
    SocketChannel member =
        SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    members.add(member);
    member.configureBlocking(false);
    try {
      member.write(ByteBuffer.wrap(beginning.getBytes(ISO_8859_1)));
    } catch (IOException e) {
      // The server has displaced it already.
    }
  }

  /// Whether a connection is open. The end comes after all bytes sent before, so these are read
  /// first, up to what the buffers can hold, since a response may be endless.
  private static boolean isOpen(SocketChannel member) {
    ByteBuffer part = ByteBuffer.allocate(PART);
    try {
      int count = PART;
      for (int read = 0; count > 0 && read < MOST_ON_ITS_WAY; read += count) {
        count = member.read(part.clear());
      }
      return count >= 0;
    } catch (IOException e) {
      return false;
    }
  }
}
