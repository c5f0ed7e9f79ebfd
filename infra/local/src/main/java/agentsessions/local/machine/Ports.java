package agentsessions.local.machine;

import java.net.BindException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Opening ports, with a clear word when one is taken.
public final class Ports {
  private Ports() {}

  /// Something that listens on a port.
  @FunctionalInterface
  public interface Binding<T> {
    T open(int port) throws Exception;
  }

  /// Opens what listens on the port, or says in a sentence why it cannot.
  ///
  /// @param option how a person chooses another port
  /// @throws CannotStart if the port is taken or may not be used
  public static <T> T open(int port, String option, Binding<T> binding) {
    try {
      return binding.open(port);
    } catch (Exception e) {
      throw new CannotStart(reason(port, e) + ": choose another with " + option, e);
    }
  }

  private static String reason(int port, Exception failure) {
    boolean taken =
        Stream.<@Nullable Throwable>iterate(
                failure, cause -> cause != null, cause -> cause == null ? null : cause.getCause())
            .anyMatch(BindException.class::isInstance);
    return taken
        ? "Port " + port + " is in use"
        : "Cannot open port " + port + " (" + Failures.text(failure) + ")";
  }
}
