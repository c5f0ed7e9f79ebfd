package agentsessions.scripts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.local.machine.Installation;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The documents agree with the repository: their links, the scripts they show, and the decisions
/// that code names. And they stay short enough to be read.
final class DocumentsTest {
  private static final Path ROOT = Installation.find().root();
  private static final Path DECISIONS = ROOT.resolve("infra/docs/decisions");
  private static final Set<String> ELSEWHERE = Set.of("target", "node_modules", ".git");
  private static final Pattern WRITTEN =
      Pattern.compile(".*(\\.(java|js|html|css|md|yaml|yml|sh|py|xml)|/(scripts|\\.ci)/[^.]+)");
  private static final Pattern DECISION = Pattern.compile("\\b[Dd]ecision (\\d{3})\\b");
  private static final Pattern REPEATED = Pattern.compile("\\$\\{?BASE}?/rest\\S*");
  private static final int README_WORDS = 1_200;
  private static final int DECISION_LINES = 30;

  @Test
  void everyLinkLeadsToWhatIsThere() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Document document : documents()) {
      for (String link : document.links()) {
        if (!leads(document, link)) {
          broken.add(ROOT.relativize(document.file()) + ": " + link);
        }
      }
    }
    assertEquals(List.of(), broken);
  }

  @Test
  void everyScriptThatIsShownIsThereAndKnowsItsOptions() throws IOException {
    List<String> unknown = new ArrayList<>();
    for (Document document : documents()) {
      for (Document.Command command : document.commands()) {
        unknown(command).forEach(what -> unknown.add(ROOT.relativize(document.file()) + what));
      }
    }
    assertEquals(List.of(), unknown);
  }

  /// `BASE` is what scripts/start prints, which ends with `/rest/v1`.
  @Test
  void noCallRepeatsTheEndOfTheBaseUrl() throws IOException {
    List<String> repeated = new ArrayList<>();
    for (Document document : documents()) {
      REPEATED
          .matcher(document.text())
          .results()
          .forEach(call -> repeated.add(ROOT.relativize(document.file()) + ": " + call.group()));
    }
    assertEquals(List.of(), repeated);
  }

  @Test
  void everyDecisionThatIsNamedIsThere() throws IOException {
    List<String> numbers = decisions().stream().map(DocumentsTest::number).toList();
    List<String> missing = new ArrayList<>();
    for (Path file : files(path -> WRITTEN.matcher(path).matches())) {
      String text = Files.readString(file);
      DECISION
          .matcher(text)
          .results()
          .map(named -> named.group(1))
          .filter(number -> !numbers.contains(number))
          .forEach(number -> missing.add(ROOT.relativize(file) + ": decision " + number));
    }
    assertEquals(List.of(), missing);
  }

  @Test
  void aDecisionIsShortAndInTheIndex() throws IOException {
    List<String> listed = Document.read(DECISIONS.resolve("README.md")).links();
    assertFalse(decisions().isEmpty());
    for (Path decision : decisions()) {
      assertTrue(Files.readAllLines(decision).size() <= DECISION_LINES, decision::toString);
      assertTrue(listed.contains(decision.getFileName().toString()), decision::toString);
    }
    List<String> numbers = decisions().stream().map(DocumentsTest::number).toList();
    assertEquals(numbers.stream().distinct().toList(), numbers);
  }

  @Test
  void theReadmeIsReadAtOneSitting() throws IOException {
    int words = Files.readString(ROOT.resolve("README.md")).strip().split("\\s+").length;
    assertTrue(words <= README_WORDS, words + " words");
  }

  private static boolean leads(Document from, String link) throws IOException {
    String[] parts = link.split("#", 2);
    Path to = from.file().resolveSibling(parts[0]).normalize();
    if (parts[0].isEmpty()) {
      return from.anchors().contains(parts[1]);
    }
    return to.startsWith(ROOT)
        && Files.exists(to)
        && (parts.length == 1 || Document.read(to).anchors().contains(parts[1]));
  }

  /// The options that are neither in the script nor in its help.
  private static List<String> unknown(Document.Command command) throws IOException {
    Path script = ScriptMachine.SCRIPTS.resolve(command.script());
    if (!Files.isRegularFile(script)) {
      return List.of(": there is no scripts/" + command.script());
    }
    Path help = ScriptMachine.SCRIPTS.resolve("help/" + command.script());
    String known = Files.readString(script) + (Files.exists(help) ? Files.readString(help) : "");
    return command.options().stream()
        .filter(option -> !known.matches("(?s).*" + option + "(?![a-z-]).*"))
        .map(option -> ": scripts/" + command.script() + " has no " + option)
        .toList();
  }

  private static List<Path> decisions() throws IOException {
    try (Stream<Path> all = Files.list(DECISIONS)) {
      return all.filter(file -> !file.endsWith("README.md")).sorted().toList();
    }
  }

  private static String number(Path decision) {
    return decision.getFileName().toString().substring(0, 3);
  }

  private static List<Document> documents() throws IOException {
    List<Document> documents = new ArrayList<>();
    for (Path file : files(path -> path.endsWith(".md"))) {
      documents.add(Document.read(file));
    }
    return documents;
  }

  /// The project's own files, by their path; without built or installed ones, which may change
  /// meanwhile.
  private static List<Path> files(Predicate<String> wanted) throws IOException {
    List<Path> found = new ArrayList<>();
    Files.walkFileTree(
        ROOT,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            return ELSEWHERE.contains(folder.getFileName().toString())
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (wanted.test("/" + ROOT.relativize(file))) {
              found.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return found;
  }
}
