package agentsessions.runner.capture;

import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.List;
import java.util.stream.Stream;

/// Patterns for relative paths. `**/` stands for any number of folders, none included, which Java's
/// own globs do not mean by it.
public record Globs(List<PathMatcher> matchers) {

  public static Globs of(Stream<String> patterns) {
    return new Globs(patterns.flatMap(Globs::spelled).distinct().map(Globs::matcher).toList());
  }

  /// Those of the patterns that begin with `~/`, without it.
  public static Globs belowHome(List<String> patterns) {
    return of(patterns.stream().filter(Globs::isBelowHome).map(pattern -> pattern.substring(2)));
  }

  /// Those of the patterns that do not.
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
