package agentsessions.client.api;

import java.util.Objects;
import picocli.CommandLine.IVersionProvider;

/// What `--version` prints: the version in the jar's manifest.
public final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    String version = Version.class.getPackage().getImplementationVersion();
    return new String[] {"Agent Sessions " + Objects.requireNonNullElse(version, "(not packaged)")};
  }
}
