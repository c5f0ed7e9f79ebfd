package agentsessions.runner.network.connection;

import java.time.Duration;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.transport.HttpClientTransportDynamic;
import org.eclipse.jetty.io.ClientConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/// The factory of the proxies' HTTP clients: with few threads of their own, and a short connect
/// timeout.
public final class OutboundClient {
  public static final Duration TO_CONNECT = Duration.ofSeconds(10);
  private static final int THREADS = 8;

  private OutboundClient() {}

  /// A client whose threads have this name.
  public static HttpClient of(String name) {
    QueuedThreadPool threads = new QueuedThreadPool(THREADS, 1);
    threads.setName(name);
    threads.setDaemon(true);
    ClientConnector connector = new ClientConnector();
    connector.setExecutor(threads);
    connector.setSelectors(1);
    connector.setConnectTimeout(TO_CONNECT);
    return new HttpClient(new HttpClientTransportDynamic(connector));
  }

  /// A client for git hosts that connects only to addresses that were checked.
  public static HttpClient pinned(Addresses addresses) {
    HttpClient client = of("git-client");
    client.setSocketAddressResolver(addresses.resolver());
    return client;
  }
}
