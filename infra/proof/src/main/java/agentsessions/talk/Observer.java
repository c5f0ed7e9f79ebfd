package agentsessions.talk;

import java.net.http.HttpRequest;
import org.jspecify.annotations.Nullable;

/// An observer of a client's exchanges: each request with its answer.
@FunctionalInterface
public interface Observer {
  void saw(Client client, HttpRequest request, @Nullable String body, Answer answer);
}
