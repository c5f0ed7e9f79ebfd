package agentsessions.runner.network.git;

import java.net.URI;
import java.util.Optional;

/// A repository on its host, with the operations that a session may do on it.
///
/// @param number its place among the session's, from 1
/// @param url of the repository, with https or http
/// @param authorization the value of the `Authorization` header; it is sent to this host and
///   repository only
/// @param submodules whether other repositories of the same host may be fetched, without the
///   credential
/// @param pushes the branch that may be pushed to; empty: none
public record GitRemote(
    int number,
    URI url,
    Optional<String> authorization,
    boolean submodules,
    Optional<SessionBranch> pushes) {
  private static final String SUFFIX = ".git";

  /// The repository's path on the proxy: its number, and its path on the host, so that relative
  /// submodule URLs lead to the same host.
  public String path() {
    return "/" + number + url.getRawPath();
  }

  /// The URL of a request on the host.
  String address(GitCall call) {
    return "%s://%s%s/%s"
        .formatted(url.getScheme(), url.getRawAuthority(), call.repository(), call.action());
  }

  /// Whether a path on the host is this repository, with or without `.git`.
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

  /// Without the credential.
  @Override
  public String toString() {
    return "remote " + number;
  }
}
