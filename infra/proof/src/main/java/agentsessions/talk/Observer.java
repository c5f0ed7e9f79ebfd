package agentsessions.talk;

import java.net.http.HttpRequest;
import org.jspecify.annotations.Nullable;

/// Is shown everything that a client sends, and what it is answered.
@FunctionalInterface
public interface Observer {
  void saw(Client client, HttpRequest request, @Nullable String body, Answer answer);
}
