package agentsessions.scripts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.local.machine.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The version stands in the parent's pom alone: packed jars have it, and the changelog begins with
/// it.
final class VersionTest {
  private static final Path ROOT = Installation.find().root();

  @Test
  void whatIsPackedHasTheVersionOfThePom() throws IOException {
    assertEquals(version(), Installation.class.getPackage().getImplementationVersion());
  }

  @Test
  void theChangelogBeginsWithIt() throws IOException {
    String changes = Files.readString(ROOT.resolve("infra/docs/CHANGELOG.md"));
    assertEquals(version(), first(changes, "(?m)^## (\\S+)"));
  }

  @Test
  void noModuleSaysItAgain() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT, 4)) {
      List<Path> poms =
          files
              .filter(file -> file.endsWith("pom.xml") && !file.toString().contains("/localstack/"))
              .filter(file -> !file.equals(ROOT.resolve("pom.xml")))
              .toList();
      assertTrue(poms.size() > 7, poms::toString);
      for (Path pom : poms) {
        String parent = first(Files.readString(pom), "(?s)<parent>(.*?)</parent>");
        assertTrue(parent.contains("<version>${revision}</version>"), pom::toString);
      }
    }
  }

  @Test
  void aTagOfAnotherVersionIsNotReleased(@TempDir Path folder) throws Exception {
    ScriptMachine shell = ScriptMachine.with(folder);
    String refusal = "Error: the tag must be v" + version() + ", as pom.xml has it\n";
    for (String tag : List.of("", version(), "v0.0.9")) {
      assertEquals(
          new ScriptMachine.Ending(1, refusal), shell.run("$scripts/../.ci/release " + tag));
    }
  }

  private static String version() throws IOException {
    return first(Files.readString(ROOT.resolve("pom.xml")), "<revision>(.+)</revision>");
  }

  private static String first(String text, String pattern) {
    return Pattern.compile(pattern)
        .matcher(text)
        .results()
        .map((MatchResult found) -> found.group(1))
        .findFirst()
        .orElse("");
  }
}
