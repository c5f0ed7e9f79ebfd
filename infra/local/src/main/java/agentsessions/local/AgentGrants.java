package agentsessions.local;

import static java.util.Objects.requireNonNullElse;

import agentsessions.local.machine.CannotStart;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// The operator's grants to agents, as settings of the service: hosts beyond the catalogue's,
/// private addresses, and secrets without a sandbox.
final class AgentGrants {
  /// The pattern of hosts in `infra/agents.schema.json`.
  private static final Pattern HOST =
      Pattern.compile("(\\*\\.)?[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*(:[1-9][0-9]{0,4})?");

  private AgentGrants() {}

  /// @throws CannotStart if a host is malformed
  static Map<String, Object> of(StartOptions options) {
    List<String> hosts = requireNonNullElse(options.allowHosts(), List.of());
    hosts.forEach(AgentGrants::require);
    return Map.of(
        Settings.ALLOWED_HOSTS, String.join(",", hosts),
        Settings.ALLOW_PRIVATE, options.allowPrivate(),
        Settings.TRUST_SECRETS, options.trustSecrets());
  }

  private static void require(String host) {
    if (!HOST.matcher(host).matches()) {
      throw new CannotStart(
          host + " cannot be a host: write host, *.host or host:port (--allow-hosts)");
    }
  }
}
