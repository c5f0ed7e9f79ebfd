package agentsessions.local.machine;

import java.net.BindException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The opening of ports, with a clear message if one is taken.
public final class PortBinding {
  private PortBinding() {}

  /// A way to listen on a port.
  @FunctionalInterface
  public interface Binding<T> {
    T open(int port) throws Exception;
  }

  /// Opens the listener of a port.
  ///
  /// @param option the option that chooses another port, for the message
  /// @throws CannotStart if the port is taken or cannot be used
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
