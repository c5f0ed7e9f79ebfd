package agentsessions.runner.network.git;

import java.net.URI;
import java.util.Optional;

/// A repository at its host, and what a session may do with it there.
///
/// @param number its place among the session's, from 1
/// @param url of the repository, https or http
/// @param authorization the value of the header that the host asks for; never leaves this process
///   but to that host and repository
/// @param submodules whether other repositories of the same host may be fetched, without the
///   credential
/// @param pushes what may be pushed; nothing if empty
public record GitRemote(
    int number,
    URI url,
    Optional<String> authorization,
    boolean submodules,
    Optional<OwnBranch> pushes) {
  private static final String SUFFIX = ".git";

  /// Where the repository is below the proxy: its number, and its path at the host, so that what is
  /// written relative to it leads to the same host.
  public String path() {
    return "/" + number + url.getRawPath();
  }

  /// Where a request of git's goes at the host.
  String address(GitCall call) {
    return "%s://%s%s/%s"
        .formatted(url.getScheme(), url.getRawAuthority(), call.repository(), call.action());
  }

  /// Whether a path of the host is this repository, with or without the usual ending.
  boolean isAt(String path) {
    String own = url.getRawPath();
    return path.equals(own) || (!own.endsWith(SUFFIX) && path.equals(own + SUFFIX));
  }

  boolean isSameHost(URI other) {
    return url.getScheme().equalsIgnoreCase(other.getScheme())
        && url.getHost().equalsIgnoreCase(other.getHost())
        && port(url) == port(other);
  }

  private static int port(URI address) {
    boolean usual = address.getPort() < 0;
    return usual ? "https".equalsIgnoreCase(address.getScheme()) ? 443 : 80 : address.getPort();
  }

  /// Never the credential.
  @Override
  public String toString() {
    return "remote " + number;
  }
}
