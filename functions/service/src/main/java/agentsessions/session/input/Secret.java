package agentsessions.session.input;

import agentsessions.session.id.Workspace;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/// A secret of a workspace, without its value: the hosts to which it may be sent as a git
/// credential, and whether an agent may be given it.
///
/// @param hosts `host` (its port 443) or `host:port`, in lower case
/// @param environment whether it may be a variable of an agent
/// @param parameter the name of its value in Parameter Store; a new one at each change
public record Secret(
    Workspace workspace,
    String name,
    List<String> hosts,
    boolean environment,
    Instant updatedAt,
    String parameter) {
  /// The pattern of its name.
  public static final String NAME = "[A-Z][A-Z0-9_]{0,63}";

  private static final int HTTPS = 443;

  public Secret {
    hosts = List.copyOf(hosts);
  }

  /// Whether it may be the credential of the repository at this URL. A URL without a port means
  /// 443.
  public boolean mayGoTo(URI repository) {
    String host = String.valueOf(repository.getHost()).toLowerCase(Locale.ROOT);
    int port = repository.getPort() < 0 ? HTTPS : repository.getPort();
    return hosts.contains(host + ":" + port) || (port == HTTPS && hosts.contains(host));
  }
}
