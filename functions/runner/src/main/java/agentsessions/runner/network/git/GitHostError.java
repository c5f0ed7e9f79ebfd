package agentsessions.runner.network.git;

import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import org.eclipse.jetty.client.Response;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;

/// The error response of a git host, in the words that git is to show.
final class GitHostError extends IOException {
  private static final long serialVersionUID = 1;

  private final int status;
  private final transient Optional<String> path;

  private GitHostError(int status, String message, Optional<String> path) {
    super(message);
    this.status = status;
    this.path = path;
  }

  /// @param requested the URL of the request
  /// @param path of the repository in that URL
  static GitHostError of(Response answer, GitRemote remote, URI requested, String path) {
    int status = answer.getStatus();
    if (!HttpStatus.isRedirection(status)) {
      return new GitHostError(shown(status), message(status, remote), Optional.empty());
    }
    Optional<URI> target = target(answer, requested);
    String wanted = requested.getRawPath().replace(path + "/", path + ".git/");
    boolean isUsual =
        target
                .filter(found -> remote.isSameHost(found) && wanted.equals(found.getRawPath()))
                .isPresent()
            && remote.isAt(path + ".git");
    return isUsual
        ? new GitHostError(status, "", Optional.of(wanted))
        : new GitHostError(HttpStatus.BAD_GATEWAY_502, moved(target), Optional.empty());
  }

  int status() {
    return status;
  }

  /// The repository's new path on the same host; empty if the response is not such a redirect.
  Optional<String> path() {
    return path;
  }

  private static Optional<URI> target(Response answer, URI requested) {
    try {
      return Optional.ofNullable(answer.getHeaders().get(HttpHeader.LOCATION))
          .map(requested::resolve);
    } catch (IllegalArgumentException noAddress) {
      return Optional.empty();
    }
  }

  private static String moved(Optional<URI> target) {
    return "The host says that the repository is elsewhere"
        + target.map(found -> ": " + found.getHost() + found.getRawPath()).orElse("")
        + ". Redirects are not followed with a credential; give that address instead.";
  }

  /// A 401 would make git ask for a password on a terminal, so it becomes a 403.
  private static int shown(int status) {
    return status == HttpStatus.UNAUTHORIZED_401 ? HttpStatus.FORBIDDEN_403 : status;
  }

  private static String message(int status, GitRemote remote) {
    return switch (status) {
      case HttpStatus.UNAUTHORIZED_401, HttpStatus.FORBIDDEN_403 ->
          remote.authorization().isPresent()
              ? "The host refused the credential (status %d).".formatted(status)
              : "The host wants a credential (status %d).".formatted(status);
      case HttpStatus.NOT_FOUND_404 ->
          remote.authorization().isPresent()
              ? "The host has no such repository, or not for this credential (status 404)."
              : "The host has no such repository, or wants a credential (status 404).";
      default -> "The host answered with status %d.".formatted(status);
    };
  }
}
