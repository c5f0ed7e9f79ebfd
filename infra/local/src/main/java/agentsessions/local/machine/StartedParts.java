package agentsessions.local.machine;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The started parts of the service, closed in reverse order. A part that fails to close does not
/// keep the others open.
public final class StartedParts implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(StartedParts.class);

  private final Deque<AutoCloseable> parts = new ArrayDeque<>();

  public synchronized <T extends AutoCloseable> T keep(T part) {
    parts.push(part);
    return part;
  }

  @Override
  public synchronized void close() {
    while (!parts.isEmpty()) {
      end(parts.pop());
    }
  }

  private static void end(AutoCloseable part) {
    try {
      part.close();
    } catch (Exception e) {
      log.warn("{} did not end cleanly", part.getClass().getSimpleName(), e);
    }
  }
}
