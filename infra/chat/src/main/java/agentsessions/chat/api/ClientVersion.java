package agentsessions.chat.api;

import java.util.Objects;
import picocli.CommandLine.IVersionProvider;

/// The version of this client, from the jar's manifest, and the name it goes by.
public final class ClientVersion implements IVersionProvider {
  @Override
  public String[] getVersion() {
    return new String[] {"Agent Sessions " + text()};
  }

  /// The command that people type: the name of what a release has, unless a script says its own.
  public static String command() {
    return System.getProperty("agentsessions.command", "agent-sessions-chat");
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
