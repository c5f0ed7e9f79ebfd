package agentsessions.runner.agent;

import java.util.Locale;

/// Hosts that an agent may reach: one, or all below it, at one port.
///
/// @param name in lower case
/// @param below whether all below it are meant, and not it
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
        ? new HostRule(lower(rest), below, HTTPS)
        : new HostRule(
            lower(rest.substring(0, colon)), below, Integer.parseInt(rest.substring(colon + 1)));
  }

  /// How a rule for just this host is written.
  public static String text(String host, int port) {
    return port == HTTPS ? lower(host) : lower(host) + ":" + port;
  }

  public boolean allows(String host, int asked) {
    String wanted = lower(host);
    return asked == port && (below ? wanted.endsWith("." + name) : wanted.equals(name));
  }

  /// A dot at the end says only that a name is complete.
  private static String lower(String host) {
    String name = host.toLowerCase(Locale.ROOT);
    return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
  }
}
