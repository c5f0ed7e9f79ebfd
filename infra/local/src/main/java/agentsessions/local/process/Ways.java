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

/// Ports of this machine's loopback, each behind a Unix socket in one private folder, for
/// containers that have no network: in there the same ports lead to the sockets.
final class Ways implements AutoCloseable {
  private final Path folder;
  private final Set<Integer> ports;
  private final List<ServerSocketChannel> servers = new ArrayList<>();

  private Ways(Path folder, Set<Integer> ports) {
    this.folder = folder;
    this.ports = ports;
  }

  /// In a folder of its own, since a socket's path must be short.
  static Ways open(Set<Integer> ports) {
    try {
      Ways ways = new Ways(Files.createTempDirectory("ways"), ports);
      for (int port : ports) {
        ways.open(port);
      }
      return ways;
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
      // That is how it ends.
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
      // Either side has hung up; closing tells the other.
    }
  }

  private static void pass(SocketChannel from, SocketChannel to) {
    try {
      long _ = Channels.newInputStream(from).transferTo(Channels.newOutputStream(to));
      to.shutdownOutput();
    } catch (IOException gone) {
      // As above.
    }
  }
}
