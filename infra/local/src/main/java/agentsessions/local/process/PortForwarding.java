package agentsessions.local.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// The host's half of port forwarding into containers without a network. Each port of this
/// machine's loopback is offered as a Unix socket in a private folder; inside a container the same
/// port leads to the socket.
final class PortForwarding implements AutoCloseable {
  private final Path folder;
  private final Set<Integer> ports;
  private final List<ServerSocketChannel> servers = new ArrayList<>();

  private PortForwarding(Path folder, Set<Integer> ports) {
    this.folder = folder;
    this.ports = ports;
  }

  /// Opens the sockets in a temporary folder, since the path of a socket must be short.
  static PortForwarding open(Set<Integer> ports) {
    try {
      PortForwarding portForwarding = new PortForwarding(Files.createTempDirectory("ways"), ports);
      for (int port : ports) {
        portForwarding.open(port);
      }
      return portForwarding;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Path folder() {
    return folder;
  }

  Set<Integer> ports() {
    return ports;
  }

  @Override
  public void close() {
    try {
      for (ServerSocketChannel server : servers) {
        server.close();
      }
      for (int port : ports) {
        Files.delete(socket(port));
      }
      Files.delete(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path socket(int port) {
    return folder.resolve(Integer.toString(port));
  }

  private void open(int port) throws IOException {
    ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    servers.add(server);
    server.bind(UnixDomainSocketAddress.of(socket(port)));
    Thread _ = Thread.ofPlatform().daemon().name("way-" + port).start(() -> serve(server, port));
  }

  private static void serve(ServerSocketChannel server, int port) {
    try {
      while (true) {
        SocketChannel container = server.accept();
        Thread _ = Thread.startVirtualThread(() -> join(container, port));
      }
    } catch (IOException closed) {
      // Closing the server ends the loop.
    }
  }

  private static void join(SocketChannel container, int port) {
    try (container;
        SocketChannel there =
            SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
      Thread back = Thread.startVirtualThread(() -> pass(there, container));
      pass(container, there);
      back.join();
    } catch (IOException | InterruptedException gone) {
      // One side has closed the connection; closing it ends the other.
    }
  }

  private static void pass(SocketChannel from, SocketChannel to) {
    try {
      long _ = Channels.newInputStream(from).transferTo(Channels.newOutputStream(to));
      to.shutdownOutput();
    } catch (IOException gone) {
      // As in join: one side has closed the connection.
    }
  }
}
