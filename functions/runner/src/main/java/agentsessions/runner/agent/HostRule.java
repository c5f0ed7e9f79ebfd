package agentsessions.runner.agent;

import java.util.Locale;

/// An allow-list entry for the network: one host, or all its subdomains, at one port.
///
/// @param name in lower case
/// @param below whether the subdomains are meant, and not the host itself
public record HostRule(String name, boolean below, int port) {
  private static final int HTTPS = 443;

  /// A rule as the catalogue has it.
  ///
  /// @param rule `host`, `*.host`, `host:port` or `*.host:port`; the port is 443 unless it is said
  public static HostRule of(String rule) {
    boolean below = rule.startsWith("*.");
    String rest = below ? rule.substring(2) : rule;
    int colon = rest.lastIndexOf(':');
    return colon < 0
        ? new HostRule(name(rest), below, HTTPS)
        : new HostRule(
            name(rest.substring(0, colon)), below, Integer.parseInt(rest.substring(colon + 1)));
  }

  /// The text of a rule for exactly this host and port.
  public static String text(String host, int port) {
    return port == HTTPS ? name(host) : name(host) + ":" + port;
  }

  public boolean allows(String host, int requested) {
    String wanted = name(host);
    return requested == port && (below ? wanted.endsWith("." + name) : wanted.equals(name));
  }

  /// A host's name in lower case, without the trailing dot of a fully qualified one.
  public static String name(String host) {
    String name = host.toLowerCase(Locale.ROOT);
    return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
  }
}
