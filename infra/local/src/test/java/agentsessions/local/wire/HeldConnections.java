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

/// Many connections to one port of this machine, held open by somebody who has no key.
///
/// For experiments: each connection sends a beginning and then nothing more.
public final class HeldConnections implements AutoCloseable {
  private static final int PART = 64 << 10;

  /// In the buffers of both ends, which the kernel bounds by 4 and 6 MiB.
  private static final int MOST_ON_ITS_WAY = 16 << 20;

  private final int port;
  private final List<SocketChannel> members = new ArrayList<>();

  /// A crowd of nobody yet.
  public HeldConnections(int port) {
    this.port = port;
  }

  /// So many more connections, each of which sends `beginning` as far as it is taken at once.
  public void join(int count, String beginning) throws IOException {
    for (int i = 0; i < count; i++) {
      join(beginning);
    }
  }

  /// How many the other side has not closed yet.
  public long held() {
    return members.stream().filter(HeldConnections::isOpen).count();
  }

  @Override
  public void close() throws IOException {
    for (SocketChannel member : members) {
      member.close();
    }
  }

  /// Whether the other side has closed it, which is looked for as long as the socket's time-out.
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
      // It lost its place to another one already.
    }
  }

  /// Its end stands behind all that was sent before, so that is read first, as far as a connection
  /// can hold it: an answer may be one without end.
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
