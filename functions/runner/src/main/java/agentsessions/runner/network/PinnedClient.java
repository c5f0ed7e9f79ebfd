package agentsessions.runner.network;

import java.time.Duration;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.transport.HttpClientTransportDynamic;
import org.eclipse.jetty.io.ClientConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/// Makes clients for git hosts, which connect to no other address than was checked.
final class PinnedClient {
  private static final Duration TO_CONNECT = Duration.ofSeconds(10);
  private static final int THREADS = 8;

  private PinnedClient() {}

  static HttpClient of(Addresses addresses) {
    QueuedThreadPool threads = new QueuedThreadPool(THREADS, 1);
    threads.setName("git-client");
    threads.setDaemon(true);
    ClientConnector connector = new ClientConnector();
    connector.setExecutor(threads);
    connector.setSelectors(1);
    connector.setConnectTimeout(TO_CONNECT);
    HttpClient client = new HttpClient(new HttpClientTransportDynamic(connector));
    client.setSocketAddressResolver(addresses.resolver());
    return client;
  }
}
