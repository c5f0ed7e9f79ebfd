package agentsessions.local.aws;

import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Asynchronous invocations of the webhooks function: accepted at once, each run on a thread of its
/// own.
final class WebhookCalls implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(WebhookCalls.class);

  private final RequestStreamHandler function;
  private final Set<Thread> running = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  WebhookCalls(RequestStreamHandler function) {
    this.function = function;
  }

  /// Whether a request invokes a function. The runner's invocations, the only other ones, are
  /// matched before.
  static boolean isOne(String call) {
    return call.endsWith("/invocations");
  }

  void begin(JsonNode event) {
    byte[] payload = event.toString().getBytes(StandardCharsets.UTF_8);
    if (!closed) {
      Thread call = Thread.ofVirtual().name("webhooks").unstarted(() -> run(payload));
      running.add(call);
      call.start();
    }
  }

  /// Interrupts what still runs; the sweep of the next start finds the deliveries that are missing.
  @Override
  public void close() {
    closed = true;
    running.forEach(Thread::interrupt);
  }

  private void run(byte[] payload) {
    try {
      function.handleRequest(
          new ByteArrayInputStream(payload), OutputStream.nullOutputStream(), null);
    } catch (IOException | RuntimeException e) {
      if (!closed) {
        log.warn("Webhooks were not sent to; the sweep tries again", e);
      }
    } finally {
      running.remove(Thread.currentThread());
    }
  }
}
