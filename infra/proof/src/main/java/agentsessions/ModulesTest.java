package agentsessions;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toSet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.graph.Graph;
import com.google.common.graph.GraphBuilder;
import com.google.common.graph.Graphs;
import com.google.common.graph.MutableGraph;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The structure rules of all modules: a limit on files in a folder, and no circle of three or more
/// types that use each other.
class ModulesTest {
  private static final int MOST_FILES = 25;
  private static final Path PROJECT =
      Path.of(System.getProperty("agentsessions.home", "../..")).toAbsolutePath().normalize();
  private static final Pattern MODULE = Pattern.compile("<module>(.*)</module>");

  /// The files that count: Java sources, and the scripts of the console.
  private static final Pattern SOURCE =
      Pattern.compile(".*/src/.*(?<!/package-info)\\.java|infra/console/.*\\.js");

  /// The circles that are known and still to be opened.
  private static final Set<String> KNOTS =
      Set.of("[Client, ExchangeObserver, SessionHandle, TurnHandle]");

  @Test
  void noFolderHasMoreFilesThanOneLookTakesIn() throws IOException {
    for (String folder : List.of("functions", "infra")) {
      assertEquals(Map.of(), crowded(PROJECT.resolve(folder)));
    }
  }

  /// Two types that use each other may be a pair; three or more in a circle cannot be read one by
  /// one.
  @Test
  void noMoreThanTwoTypesMakeACircle() throws IOException {
    Graph<JavaClass> uses = uses(classes());
    Graph<JavaClass> reach = Graphs.transitiveClosure(uses);
    Set<String> knots =
        uses.nodes().stream()
            .map(type -> circle(reach, type))
            .filter(circle -> circle.size() > 2)
            .map(Object::toString)
            .collect(toSet());
    assertEquals(KNOTS, knots);
  }

  private static Map<String, Long> crowded(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      Map<String, Long> folders =
          files
              .map(file -> PROJECT.relativize(file).toString())
              .filter(SOURCE.asMatchPredicate())
              .collect(groupingBy(file -> file.substring(0, file.lastIndexOf('/')), counting()));
      folders.values().removeIf(count -> count <= MOST_FILES);
      return folders;
    }
  }

  /// All classes but those that Micronaut generates beside ours, such as `$Name$Definition`.
  private static JavaClasses classes() throws IOException {
    return new ClassFileImporter()
        .withImportOption(location -> !location.contains("/$"))
        .importPaths(folders());
  }

  /// The folder of compiled classes of each module, built in the same way as this one (by Maven, or
  /// quickly).
  private static List<Path> folders() throws IOException {
    Path proof = PROJECT.resolve("infra/proof");
    Path built = proof.relativize(Path.of(own()));
    List<Path> folders =
        MODULE
            .matcher(Files.readString(PROJECT.resolve("pom.xml")))
            .results()
            .map((MatchResult module) -> PROJECT.resolve(module.group(1)).resolve(built))
            .toList();
    for (Path folder : folders) {
      assertTrue(Files.isDirectory(folder), () -> "not built, see scripts/test rules: " + folder);
    }
    return folders;
  }

  private static String own() {
    return ModulesTest.class.getProtectionDomain().getCodeSource().getLocation().getPath();
  }

  private static Graph<JavaClass> uses(JavaClasses classes) {
    MutableGraph<JavaClass> uses = GraphBuilder.directed().allowsSelfLoops(true).build();
    for (JavaClass type : classes) {
      type.getDirectDependenciesFromSelf().stream()
          .map(dependency -> outermost(dependency.getTargetClass().getBaseComponentType()))
          .filter(other -> classes.contain(other.getName()))
          .forEach(other -> uses.putEdge(outermost(type), other));
    }
    return uses;
  }

  private static Set<String> circle(Graph<JavaClass> reach, JavaClass type) {
    return reach.successors(type).stream()
        .filter(other -> reach.hasEdgeConnecting(other, type))
        .map(JavaClass::getSimpleName)
        .collect(toCollection(TreeSet::new));
  }

  private static JavaClass outermost(JavaClass type) {
    return type.getEnclosingClass().map(ModulesTest::outermost).orElse(type);
  }
}
