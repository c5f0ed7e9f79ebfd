package agentsessions.scripts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.local.machine.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The parts of the proof: a part that failed is not green, a part counts as known only after it
/// was green, and each test is in a part.
final class PartsTest {
  private static final Path ROOT = Installation.find().root();

  /// A project of its own, with the table of parts that a test has written.
  private static final String PROJECT =
      """
      PATH=/usr/bin:/bin
      cd "$HOME"
      if [ ! -d .git ]; then
        mkdir -p scripts/lib jdk
        touch jdk/release input
        for file in "$scripts"/lib/*; do [ -e "scripts/lib/${file##*/}" ] || cp "$file" scripts/lib; done
        printf '%s\\n' /bin /log /cache /target /order >.gitignore
        git init -q
      fi
      git add -A
      git -c user.name=a -c user.email=a@example.com commit -q --allow-empty -m a
      root=$PWD work=$PWD/target/proof JAVA_HOME=$PWD/jdk lanes=2 ran=() load_before=0
      rm -rf "$work" && mkdir -p "$work"
      for name in parts report proven; do . "scripts/lib/$name.sh"; done
      """;

  private static final String REPORT =
      """
      <testcase name="works()" classname="a.B" time="0.5">
      </testcase>
      <testcase name="breaks()" classname="a.B" time="1.5">
      <failure message="expected: &lt;1>&#10;but was: &lt;2>" type="x"><![CDATA[x]]></failure>
      </testcase>
      <testcase name="waits()" classname="a.B" time="0">
      <skipped><![CDATA[org.opentest4j.TestAbortedException: Assumption failed: needs a browser
      ]]></skipped>
      </testcase>
      """;

  @TempDir Path folder;
  private ScriptMachine shell;

  @BeforeEach
  void open() throws IOException {
    shell = ScriptMachine.with(folder);
  }

  @Test
  void onePartThatFailsMakesAllRedAndIsNamedAtTheEnd() throws Exception {
    parts("good | test | | 1 | true", "bad | test | | 1 | echo Broken: it; false");
    ScriptMachine.Ending ending =
        shell.run(PROJECT + "prove good bad || echo red; report good bad");
    assertTrue(ending.output().contains("ran  good"), ending.output());
    assertTrue(ending.output().contains("RED  bad"), ending.output());
    assertTrue(ending.output().contains("\nred\n"), ending.output());
    assertTrue(
        ending.output().endsWith("1 passed, 1 failed, 0 skipped\nFirst failed: bad: Broken: it\n"),
        ending.output());
  }

  @Test
  void testsAreCountedByTheirReportsAndWhatWasSkippedHasAName() throws Exception {
    Files.writeString(folder.resolve("report.xml"), REPORT);
    parts(
        "unit | test | | 1 | mkdir $reports/a; echo none >$reports/a/module; "
            + "cp report.xml $reports/a/TEST-a.xml; echo Skipped: what needs a fish; false");
    ScriptMachine.Ending ending = shell.run(PROJECT + "prove unit || true; report unit");
    assertTrue(ending.output().contains("2.0 s  a.B\n"), ending.output());
    assertTrue(ending.output().contains("Skipped: a.B#waits: needs a browser\n"), ending.output());
    assertTrue(ending.output().contains("unit: Skipped: what needs a fish\n"), ending.output());
    assertTrue(
        ending
            .output()
            .endsWith(
                """
                1 passed, 1 failed, 1 skipped
                First failed: a.B#breaks: expected: <1> but was: <2>
                """),
        ending.output());
  }

  @Test
  void aDeepPartIsKnownWhileItsInputsAreThoseItWasGreenWith() throws Exception {
    parts("one | deep | other | 1 | echo one >>order", "two | deep | | 1 | echo two >>order");
    String deep = PROJECT + "prove_deep 900";
    assertEquals(0, shell.run(deep).status());
    assertEquals(List.of("one", "two"), order());
    String known = shell.run(deep).output();
    assertTrue(known.contains("known one: "), known);
    assertTrue(known.contains("known two: "), known);
    assertEquals(List.of("one", "two"), order());
    Files.writeString(folder.resolve("other"), "left out of one");
    assertEquals(0, shell.run(deep).status());
    assertEquals(List.of("one", "two", "two"), order());
    Files.writeString(folder.resolve("input"), "changed");
    assertEquals(0, shell.run(deep).status());
    assertEquals(5, order().size());
  }

  @Test
  void whatFailedOrIsNotCommittedIsNotKnown() throws Exception {
    parts("one | deep | | 1 | echo one >>order; [ ! -e broken ]");
    Files.writeString(folder.resolve("broken"), "");
    assertNotEquals(0, shell.run(PROJECT + "prove_deep 900").status());
    Files.delete(folder.resolve("broken"));
    assertEquals(0, shell.run(PROJECT + "touch new; prove_deep 900").status());
    Files.delete(folder.resolve("new"));
    assertEquals(0, shell.run(PROJECT + "prove_deep 900").status());
    assertEquals(List.of("one", "one", "one"), order());
  }

  @Test
  void whatDoesNotFitIsSaidAndIsFirstNextTime() throws Exception {
    parts("one | deep | | 1 | echo one >>order", "two | deep | | 1 | echo two >>order");
    String first = shell.run(PROJECT + "prove_deep 0").output();
    assertTrue(first.contains("not run: two\n"), first);
    assertEquals(List.of("one"), order());
    Files.writeString(folder.resolve("input"), "changed");
    String second = shell.run(PROJECT + "prove_deep 0").output();
    assertTrue(second.contains("not run: one\n"), second);
    assertEquals(List.of("one", "two"), order());
  }

  /// A name that selects no test must not look green.
  @Test
  void aTestIsFoundByTheBeginningOfItsNameAndNoneIsFoundWhereThereIsNone() throws Exception {
    ScriptMachine machine = ScriptMachine.with(folder).command("find", "exec /usr/bin/find \"$@\"");
    String found = "cd \"$scripts/..\"; . scripts/lib/one.sh; files_of PartsTest%s || true";
    String here = "infra/proof/src/main/java/agentsessions/scripts/PartsTest.java\n";
    assertEquals(here, machine.run(found.formatted("")).output());
    assertEquals(here, machine.run(found.formatted("'#aTestIsFound'")).output());
    assertEquals("", machine.run(found.formatted("'#isFound'")).output());
  }

  /// Where what happens once in a while is the finding, see unsteady.sh.
  @Test
  void testsOfTheseAreNeverUnsteady() throws IOException {
    assertEquals(
        List.of("chaos", "transitions", "faults", "kills", "request-kills", "disk"),
        Files.readAllLines(ScriptMachine.SCRIPTS.resolve("lib/parts")).stream()
            .filter(line -> !line.startsWith("#") && line.contains("strict=yes "))
            .map(line -> line.split("\\|", -1)[0].strip())
            .toList());
  }

  /// A room of tests that no part names would never run.
  @Test
  void everyTestIsInAPart() throws IOException {
    String parts = Files.readString(ScriptMachine.SCRIPTS.resolve("lib/parts"));
    try (Stream<Path> sources = Files.walk(ROOT)) {
      List<Path> tests =
          sources
              .filter(file -> file.toString().matches(".*/src/(main|test)/java/.*Test\\.java"))
              .filter(file -> !file.toString().contains("/target/"))
              .map(ROOT::relativize)
              .toList();
      assertFalse(tests.isEmpty());
      assertEquals(List.of(), tests.stream().filter(test -> !isNamed(test, parts)).toList());
    }
  }

  /// A part names a module as a whole, but each room of the proof.
  private static boolean isNamed(Path test, String parts) {
    String file = test.toString();
    String module = file.substring(0, file.indexOf("/src/"));
    String room = file.replaceFirst(".*/java/(agentsessions/[a-zA-Z]+).*", "$1").replace('/', '.');
    return parts.contains(module)
        && (!module.equals("infra/proof")
            || parts.contains("--select-package " + room)
            || parts.contains("--select-class " + room));
  }

  private void parts(String... lines) throws IOException {
    Path table = folder.resolve("scripts/lib/parts");
    Files.createDirectories(table.getParent());
    Files.write(table, List.of(lines));
  }

  private List<String> order() throws IOException {
    return Files.readAllLines(folder.resolve("order"));
  }
}
