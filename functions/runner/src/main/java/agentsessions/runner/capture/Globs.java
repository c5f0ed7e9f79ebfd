package agentsessions.runner.capture;

import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.List;
import java.util.stream.Stream;

/// A set of glob patterns for relative paths. `**/` also matches no folder at all, unlike in Java's
/// own globs.
public record Globs(List<PathMatcher> matchers) {

  public static Globs of(Stream<String> patterns) {
    return new Globs(patterns.flatMap(Globs::spelled).distinct().map(Globs::matcher).toList());
  }

  /// The patterns that begin with `~/`, without that prefix.
  public static Globs belowHome(List<String> patterns) {
    return of(patterns.stream().filter(Globs::isBelowHome).map(pattern -> pattern.substring(2)));
  }

  /// The patterns that do not begin with `~/`.
  public static Globs inWorkspace(List<String> patterns) {
    return of(patterns.stream().filter(pattern -> !isBelowHome(pattern)));
  }

  private static boolean isBelowHome(String pattern) {
    return pattern.startsWith("~/");
  }

  public boolean match(Path path) {
    return matchers.stream().anyMatch(matcher -> matcher.matches(path));
  }

  private static Stream<String> spelled(String pattern) {
    int star = pattern.indexOf("**/");
    if (star < 0) {
      return Stream.of(pattern);
    }
    String before = pattern.substring(0, star);
    return spelled(pattern.substring(star + 3))
        .flatMap(after -> Stream.of(before + "**/" + after, before + after));
  }

  private static PathMatcher matcher(String pattern) {
    return FileSystems.getDefault().getPathMatcher("glob:" + pattern);
  }
}
