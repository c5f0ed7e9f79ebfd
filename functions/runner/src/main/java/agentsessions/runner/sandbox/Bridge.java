package agentsessions.runner.sandbox;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/// A process inside a sandbox that has no network: hands each connection to a port of loopback on
/// to a Unix socket, behind which is a {@link ModelProxy}. It is run with this one class and the
/// JDK, so it may use nothing else.
final class Bridge {
  private Bridge() {}

  /// Prints a line when it listens.
  ///
  /// @param arguments the port and the socket's path
  public static void main(String[] arguments) throws IOException {
    UnixDomainSocketAddress socket = UnixDomainSocketAddress.of(Path.of(arguments[1]));
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0])));
      System.out.println("listens");
      while (true) {
        SocketChannel agent = server.accept();
        Thread.startVirtualThread(() -> join(agent, socket));
      }
    }
  }

  private static void join(SocketChannel agent, UnixDomainSocketAddress socket) {
    try (agent;
        SocketChannel proxy = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      proxy.connect(socket);
      Thread back = Thread.startVirtualThread(() -> pass(proxy, agent));
      pass(agent, proxy);
      back.join();
    } catch (IOException | InterruptedException gone) {
      // Either side has hung up; closing tells the other.
    }
  }

  private static void pass(SocketChannel from, SocketChannel to) {
    try {
      InputStream in = Channels.newInputStream(from);
      OutputStream out = Channels.newOutputStream(to);
      in.transferTo(out);
      to.shutdownOutput();
    } catch (IOException gone) {
      // As above.
    }
  }
}
