package agentsessions.chat.api;

import java.util.Objects;
import picocli.CommandLine.IVersionProvider;

/// The version of this client, from the jar's manifest.
public final class ClientVersion implements IVersionProvider {
  @Override
  public String[] getVersion() {
    return new String[] {"Agent Sessions " + text()};
  }

  /// The value of the `User-Agent` header.
  static String userAgent() {
    return "agent-sessions-chat/" + text();
  }

  private static String text() {
    String version = ClientVersion.class.getPackage().getImplementationVersion();
    return Objects.requireNonNullElse(version, "unpackaged");
  }
}
