package agentsessions.runner.network.way;

import java.time.Duration;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.transport.HttpClientTransportDynamic;
import org.eclipse.jetty.io.ClientConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/// Makes the clients by which the runner's proxies reach others: with few threads of their own, and
/// little patience for a connection.
public final class OutwardClient {
  public static final Duration TO_CONNECT = Duration.ofSeconds(10);
  private static final int THREADS = 8;

  private OutwardClient() {}

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

  /// A client for git hosts, which connects to no other address than was checked.
  public static HttpClient pinned(Addresses addresses) {
    HttpClient client = of("git-client");
    client.setSocketAddressResolver(addresses.resolver());
    return client;
  }
}
