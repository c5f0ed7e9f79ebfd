package agentsessions;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import agentsessions.local.machine.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The rules of type names and class sentences in the main sources of all modules: a simple name
/// belongs to one type, and each top-level type says in its first sentence what it is.
class NamesTest {
  /// Names that several types may share. An entry that is no longer needed fails, too.
  private static final Set<String> TWICE = Set.of("Main");

  private static final Path PROJECT = Installation.find().root();

  /// Folders of build results are left out: they hold copies.
  private static final Pattern SOURCE =
      Pattern.compile("(?!.*/target/)(functions|infra)/.*/src/main/java/.*\\.java");

  /// The first line of a top-level declaration; the formatter indents all others.
  private static final Pattern DECLARATION =
      Pattern.compile(
          "((public|abstract|final|sealed|non-sealed|strictfp) )*"
              + "(class|record|interface|enum|@interface) (?<name>\\w+).*");

  /// An annotation, or a further line of one; or a comment that is none of the class.
  private static final Pattern ANNOTATION = Pattern.compile("[@ )}].*|//(?!/).*");

  /// Sentences that begin so ask for their own explanation instead of naming a thing.
  private static final Pattern RIDDLE =
      Pattern.compile("(What|How|Where|Who|Which|Whether|Whatever|Whoever|Something)\\b.*");

  /// A top-level type as its source declares it.
  ///
  /// @param file its path in the project
  /// @param sentence the first line of its `///` comment; empty if it has none
  private record Type(String file, String name, String sentence) {
    /// Test classes of the proof stand in its main sources, and are named after what they test.
    boolean isTest() {
      return file.startsWith("infra/proof/") && (name.endsWith("Test") || name.endsWith("Check"));
    }

    boolean saysWhatItIs() {
      return !sentence.isEmpty() && !RIDDLE.matcher(sentence).matches();
    }
  }

  @Test
  void aSimpleNameBelongsToOneType() throws IOException {
    assertEquals("", String.join("\n", namesakes(types(), TWICE)));
  }

  @Test
  void eachTypeSaysWhatItIs() throws IOException {
    assertEquals("", String.join("\n", unsaid(types())));
  }

  @Test
  void aPlantedNamesakeIsFound() {
    List<Type> planted =
        Stream.of("a/Lock", "b/Lock", "b/Key", "infra/proof/a/KeyTest", "infra/proof/b/KeyTest")
            .flatMap(file -> types(file + ".java", "final class " + name(file) + " {}"))
            .toList();
    assertEquals(List.of("Lock: a/Lock.java, b/Lock.java"), namesakes(planted, Set.of()));
    assertEquals(List.of(), namesakes(planted, Set.of("Lock")));
    assertEquals(
        List.of("Key: needs no entry in TWICE"), namesakes(planted, Set.of("Lock", "Key")));
  }

  @Test
  void aPlantedRiddleOrMissingSentenceIsFound() {
    String source =
        """
        package planted;

        /// What a lock is.
        // Planted.
        @Tag("planted")
        @Retry(
            times = 3
        )
        public sealed interface Riddle {}

        @Deprecated
        record Silent(int size) {
          /// A sentence of a nested type.
          enum Nested {}
        }

        /// However long it is held: the lock of a session.
        ///
        /// What follows the first sentence may begin as it likes.
        public @interface Good {}
        """;
    assertEquals(
        List.of("Riddle (a.java): What a lock is.", "Silent (a.java): no class sentence"),
        unsaid(types("a.java", source).toList()));
  }

  private static String name(String file) {
    return file.substring(file.lastIndexOf('/') + 1);
  }

  /// The faults of names, a line each.
  private static List<String> namesakes(List<Type> types, Set<String> allowed) {
    Map<String, List<String>> files =
        types.stream()
            .filter(type -> !type.isTest())
            .collect(groupingBy(Type::name, TreeMap::new, mapping(Type::file, toList())));
    files.values().removeIf(same -> same.size() < 2);
    List<String> faults = new ArrayList<>();
    for (String name : new TreeSet<>(allowed)) {
      if (files.remove(name) == null) {
        faults.add(name + ": needs no entry in TWICE");
      }
    }
    files.forEach((name, same) -> faults.add(name + ": " + String.join(", ", same)));
    return faults;
  }

  /// The types without a class sentence, or with a riddle in its place, a line each.
  private static List<String> unsaid(List<Type> types) {
    return types.stream()
        .filter(type -> !type.saysWhatItIs())
        .map(type -> "%s (%s): %s".formatted(type.name, type.file, said(type)))
        .toList();
  }

  private static String said(Type type) {
    return type.sentence.isEmpty() ? "no class sentence" : type.sentence;
  }

  private static List<Type> types() throws IOException {
    List<Type> types = new ArrayList<>();
    for (Path file : sources()) {
      types(PROJECT.relativize(file).toString(), Files.readString(file)).forEach(types::add);
    }
    assertFalse(types.isEmpty(), "no sources in " + PROJECT);
    return types;
  }

  private static List<Path> sources() throws IOException {
    List<Path> sources = new ArrayList<>();
    for (String folder : List.of("functions", "infra")) {
      try (Stream<Path> files = Files.walk(PROJECT.resolve(folder))) {
        files
            .filter(file -> SOURCE.matcher(PROJECT.relativize(file).toString()).matches())
            .sorted()
            .forEach(sources::add);
      }
    }
    return sources;
  }

  private static Stream<Type> types(String file, String source) {
    List<String> lines = source.lines().toList();
    return IntStream.range(0, lines.size())
        .mapToObj(line -> type(file, lines, line))
        .flatMap(Optional::stream);
  }

  private static Optional<Type> type(String file, List<String> lines, int line) {
    Matcher declaration = DECLARATION.matcher(lines.get(line));
    return declaration.matches()
        ? Optional.of(new Type(file, declaration.group("name"), sentence(lines.subList(0, line))))
        : Optional.empty();
  }

  /// The first line of the comment that ends a list of lines, but for annotations below it.
  private static String sentence(List<String> above) {
    List<String> upwards =
        above.reversed().stream()
            .dropWhile(line -> ANNOTATION.matcher(line).matches())
            .takeWhile(line -> line.startsWith("///"))
            .toList();
    return upwards.isEmpty() ? "" : upwards.getLast().substring("///".length()).strip();
  }
}
