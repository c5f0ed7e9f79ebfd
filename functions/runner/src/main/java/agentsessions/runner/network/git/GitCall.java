package agentsessions.runner.network.git;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/// One of the four requests of git's smart HTTP protocol.
///
/// @param repository the path of the repository on its host
/// @param action the rest of the path, with the query
/// @param isPush whether it is part of a push
/// @param hasPack whether its body is the pack of a push
record GitCall(String repository, String action, boolean isPush, boolean hasPack) {
  private static final int PATH = 2000;
  private static final Pattern CALL =
      Pattern.compile(
          "(GET|POST) (/.+)/(info/refs\\?service=git-(?:upload|receive)-pack|git-(?:upload|receive)-pack)");

  /// @param prefix of the path on the proxy, which is removed
  static Optional<GitCall> of(Request request, String prefix) {
    HttpURI uri = request.getHttpURI();
    String path = uri.getPath();
    if (path == null || path.length() > PATH || !path.startsWith(prefix + "/")) {
      return Optional.empty();
    }
    return of(request.getMethod(), path.substring(prefix.length()), uri.getQuery());
  }

  private static Optional<GitCall> of(String method, String path, @Nullable String query) {
    String request = "%s %s%s".formatted(method, path, query == null ? "" : "?" + query);
    Matcher call = CALL.matcher(request);
    if (!call.matches() || method.equals("GET") != call.group(3).startsWith("info")) {
      return Optional.empty();
    }
    boolean push = call.group(3).endsWith("receive-pack");
    return Optional.of(
        new GitCall(call.group(2), call.group(3), push, push && method.equals("POST")));
  }

  /// The request for all refs of the same repository.
  GitCall refs() {
    return new GitCall(repository, "info/refs?service=git-upload-pack", false, false);
  }

  /// Whether the path is canonical, so that no server can read it as another repository's.
  boolean isPlain() {
    String path = HttpURI.build().path(repository).getCanonicalPath();
    return repository.equals(path) && !repository.contains("%");
  }
}
