package agentsessions.api.request;

import static java.util.stream.Collectors.toSet;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The shelves of the console, `app ▸ session | workspace ▸ requests | pulls ▸ text ▸ page`: each
/// sees only those to its right, so that they make no circle.
class ConsoleShelvesTest {
  private static final Path CONSOLE = Path.of("../../infra/console");
  private static final Pattern IMPORTED = Pattern.compile("['\"`](\\.\\.?/[^'\"`]+\\.js)['\"`]");
  private static final Map<String, Set<String>> SEEN =
      Map.of(
          "", Set.of("session", "workspace", "requests", "text", "page"),
          "session", Set.of("requests", "pulls", "text", "page"),
          "workspace", Set.of("requests", "text", "page"),
          "requests", Set.of("text", "page"),
          "pulls", Set.of("text", "page"),
          "text", Set.of("page"),
          "page", Set.of());

  @Test
  void eachShelfSeesOnlyTheShelvesToItsRight() throws IOException {
    Set<String> wrong = new TreeSet<>();
    for (Path module : files(".js")) {
      for (Path other : imported(module)) {
        if (!maySee(shelf(module), shelf(other))) {
          wrong.add(CONSOLE.relativize(module) + " sees " + CONSOLE.relativize(other));
        }
      }
    }
    assertEquals(Set.of(), wrong);
  }

  @Test
  void thereAreNoOthers() throws IOException {
    assertEquals(SEEN.keySet(), files("").stream().map(ConsoleShelvesTest::shelf).collect(toSet()));
  }

  private static boolean maySee(String shelf, String other) {
    return shelf.equals(other) || SEEN.getOrDefault(shelf, Set.of()).contains(other);
  }

  private static List<Path> files(String ending) throws IOException {
    try (Stream<Path> files = Files.walk(CONSOLE).filter(Files::isRegularFile)) {
      return files.filter(file -> file.toString().endsWith(ending)).toList();
    }
  }

  private static List<Path> imported(Path module) throws IOException {
    return IMPORTED
        .matcher(Files.readString(module))
        .results()
        .map(found -> module.resolveSibling(found.group(1)).normalize())
        .toList();
  }

  /// The name of its folder; nothing for what stands at the top.
  private static String shelf(Path file) {
    return CONSOLE.relativize(file.resolveSibling("")).toString();
  }
}
