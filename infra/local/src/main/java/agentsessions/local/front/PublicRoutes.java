package agentsessions.local.front;

import static java.util.stream.Collectors.toUnmodifiableSet;

import agentsessions.local.front.HttpMessage.Request;
import agentsessions.local.machine.SamTemplate;
import agentsessions.local.machine.SamTemplate.Route;
import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The routes that need no key, read from `template.yaml`. Where only one method of a path is
/// public, the function itself refuses the others.
final class PublicRoutes {
  private static final String REST_OF_PATH = "+}";

  private static final Set<String> PATHS = open().map(Route::path).collect(toUnmodifiableSet());

  /// The paths with variables for single segments, which hold letters, digits, `_` and `-` only.
  private static final List<Pattern> PATTERNS =
      PATHS.stream()
          .filter(path -> path.contains("{") && !path.endsWith(REST_OF_PATH))
          .map(path -> Pattern.compile(path.replaceAll("\\{\\w+}", "[\\\\w-]+")))
          .toList();

  /// The routes that end in a variable for the rest of the path.
  private static final List<Route> FOLDERS =
      open().filter(route -> route.path().endsWith(REST_OF_PATH)).toList();

  private PublicRoutes() {}

  /// Whether a request needs no key. The raw path decides, so that dots or escapes cannot bypass
  /// the authorizer.
  static boolean has(Request request) {
    return PATHS.contains(request.path())
        || PATTERNS.stream().anyMatch(pattern -> pattern.matcher(request.path()).matches())
        || (FOLDERS.stream().anyMatch(folder -> holds(folder, request)) && isPlain(request.path()));
  }

  private static boolean holds(Route folder, Request request) {
    String method = request.method().equals("HEAD") ? "GET" : request.method();
    String beginning = folder.path().substring(0, folder.path().lastIndexOf('{'));
    return folder.method().equals(method) && request.path().startsWith(beginning);
  }

  private static Stream<Route> open() {
    return SamTemplate.routes()
        .filter(route -> !route.keyed() && !route.method().equals("OPTIONS"));
  }

  private static boolean isPlain(String path) {
    try {
      return path.equals(URI.create(path).normalize().getPath());
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
