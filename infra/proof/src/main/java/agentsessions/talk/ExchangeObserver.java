package agentsessions.talk;

import java.net.http.HttpRequest;
import org.jspecify.annotations.Nullable;

/// An observer of a client's exchanges: each request with its answer.
@FunctionalInterface
public interface ExchangeObserver {
  void saw(Client client, HttpRequest request, @Nullable String body, ApiResponse answer);
}
