package agentsessions.runner.sandbox;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A process inside a sandbox without a network, which forwards each connection from a port of
/// loopback to a Unix socket, where a proxy of the runner listens, as `bridge.pl` does. It is
/// started with this one class and the JDK, so it may use nothing else.
public final class Bridge {
  private Bridge() {}

  /// Prints a line once it listens on all ports.
  ///
  /// @param arguments a port and a socket's path, and so on
  public static void main(String[] arguments) throws IOException {
    List<Thread> listeners = new ArrayList<>();
    for (int pair = 0; pair < arguments.length; pair += 2) {
      ServerSocketChannel server = ServerSocketChannel.open();
      server.bind(
          new InetSocketAddress(
              InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[pair])));
      UnixDomainSocketAddress socket = UnixDomainSocketAddress.of(Path.of(arguments[pair + 1]));
      listeners.add(Thread.ofPlatform().unstarted(() -> serve(server, socket)));
    }
    listeners.forEach(Thread::start);
    System.out.println("listens");
  }

  private static void serve(ServerSocketChannel server, UnixDomainSocketAddress socket) {
    try (server) {
      while (true) {
        SocketChannel agent = server.accept();
        Thread.startVirtualThread(() -> join(agent, socket));
      }
    } catch (IOException failed) {
      System.err.println("no way out of the sandbox any more: " + failed.getMessage());
    }
  }

  private static void join(SocketChannel agent, UnixDomainSocketAddress socket) {
    try (agent;
        SocketChannel proxy = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      agent.setOption(StandardSocketOptions.TCP_NODELAY, true);
      proxy.connect(socket);
      Thread back = Thread.startVirtualThread(() -> pass(proxy, agent));
      pass(agent, proxy);
      back.join();
    } catch (IOException | InterruptedException gone) {
      // Either side has closed the connection; closing tells the other.
    }
  }

  /// Also an end that is not in order is passed on, since whoever waits for an answer would wait
  /// on.
  private static void pass(SocketChannel from, SocketChannel to) {
    try {
      InputStream in = Channels.newInputStream(from);
      OutputStream out = Channels.newOutputStream(to);
      in.transferTo(out);
    } catch (IOException gone) {
      // As above.
    }
    try {
      to.shutdownOutput();
    } catch (IOException gone) {
      // Nobody waits there.
    }
  }
}
