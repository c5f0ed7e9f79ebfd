package agentsessions.local;

import java.util.Objects;
import picocli.CommandLine.IVersionProvider;

/// The version of the service on this machine, from the jar's manifest.
final class ServiceVersion implements IVersionProvider {
  @Override
  public String[] getVersion() {
    return new String[] {"Agent Sessions " + text()};
  }

  static String text() {
    String version = ServiceVersion.class.getPackage().getImplementationVersion();
    return Objects.requireNonNullElse(version, "unpackaged");
  }
}
