package agentsessions.scripts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A test that fails in CI and then passes twice, alone and where it failed, is forgiven and
/// listed; whatever else fails stays red. Shown by planted faults, in a project of their own whose
/// parts are run as those of this one, by JUnit's console.
final class UnsteadyTest {
  private static final String TREE =
      """
      cd "$HOME"
      export PATH=/usr/bin:/bin JAVA_HOME='%s' root=$PWD
      export JDK_JAVA_OPTIONS="-Xlog:disable -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:SharedArchiveFile=$PWD/bin/jsa"
      commit() {
        git add -A
        GIT_COMMITTER_DATE=$(date -d "$1 hours ago" +%%FT%%T%%z) \\
          git -c user.name=a -c user.email=a@example.com commit -q --allow-empty -m it -m "${2:-}"
      }
      """
          .formatted(System.getProperty("java.home"));

  /// All is committed a day ago, but one test an hour ago. The many starts of JUnit are faster with
  /// an archive of its classes, for which those of the tests have to be in a jar.
  private static final String PLANT =
      TREE
          + """
          mkdir -p scripts/lib functions target runs
          cp "$scripts"/lib/* scripts/lib
          . scripts/lib/commands.sh
          cd infra/planted
          javac -d target/of-jar -cp "$(cat target/tests.classpath)" src/test/java/planted/*.java
          jar -c -f target/planted.jar -C target/of-jar .
          cd ../..
          (
            export JDK_JAVA_OPTIONS=${JDK_JAVA_OPTIONS/SharedArchiveFile/ArchiveClassesAtExit}
            reports=$PWD/runs
            junit infra/planted --select-class planted.Three >runs/log 2>&1 || true
          )
          printf '%s\\n' target /bin /cache /runs /up /scripts/lib/parts >.gitignore
          git init -q
          mv infra/planted/src/test/java/planted/New.java bin
          commit 24
          mv bin/New.java infra/planted/src/test/java/planted
          commit 1
          """;

  /// What scripts/test does, without a build. No test has run.
  private static final String RUN =
      TREE
          + """
          work=$PWD/target/proof lanes=2 load_before=0
          rm -rf target runs up && mkdir -p "$work" runs
          for name in explain parts report proven one unsteady steady; do . "scripts/lib/$name.sh"; done
          build_tests() { :; }
          export lenient=
          """;

  private static final String CI = RUN + "lenient=yes\n";

  /// A test knows by a file of its name how often it ran. A stack is up while a file is there.
  private static final String RUNS =
      """
      package planted;
      import java.nio.file.*;
      final class Runs {
        static void failIn(String name, Integer... runs) throws Exception {
          Path file = Path.of("../../runs", name);
          Files.writeString(file, "run\\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
          int run = Files.readAllLines(file).size();
          if (java.util.List.of(runs).contains(run))
            throw new AssertionError(name + " fails in run " + run);
        }
        static boolean isUp() {
          return Files.exists(Path.of("../../up"));
        }
      }
      """;

  private static final Map<String, String> TESTS =
      Map.of(
          "Once", "@Test void once() throws Exception { failIn(`once`, 1); } @Test void good() {}",
          "Twice", "@Test void twice() throws Exception { failIn(`twice`, 1, 3); }",
          "Always", "@Test void always() { throw new AssertionError(`always`); }",
          "Beside", "@Test void needs() throws Exception { assertTrue(isUp()); failIn(`up`, 1); }",
          "OnStack", "@Test void cannot() { assertFalse(isUp()); }",
          "Skip", "@Test void skip() throws Exception { failIn(`skip`, 1); Assumptions.abort(); }",
          "New", "@Test void isNew() throws Exception { failIn(`new`, 1); }",
          "Class",
              "@BeforeAll static void all() throws Exception { failIn(`all`, 1); }"
                  + " @Test void one() {}",
          "Three",
              "@ParameterizedTest @ValueSource(ints = {1, 2, 3})"
                  + " void each(int number) throws Exception { failIn(`each` + number, 1); }");

  @TempDir static Path folder;
  private static ScriptMachine shell;

  @BeforeAll
  static void plant() throws Exception {
    shell = ScriptMachine.with(folder);
    Path sources = Files.createDirectories(folder.resolve("infra/planted/src/test/java/planted"));
    Files.writeString(sources.resolve("Runs.java"), RUNS);
    for (Map.Entry<String, String> test : TESTS.entrySet()) {
      Files.writeString(sources.resolve(test.getKey() + ".java"), source(test));
    }
    Files.createDirectories(folder.resolve("infra/planted/target"));
    Files.writeString(folder.resolve("infra/planted/target/tests.classpath"), junit());
    ScriptMachine.Ending ending = shell.run(PLANT);
    assertEquals(0, ending.status(), ending.output());
  }

  private static String source(Map.Entry<String, String> test) {
    return """
    package planted;
    import static org.junit.jupiter.api.Assertions.*;
    import static planted.Runs.*;
    import org.junit.jupiter.api.*;
    import org.junit.jupiter.params.ParameterizedTest;
    import org.junit.jupiter.params.provider.ValueSource;
    class %s { %s }
    """
        .formatted(test.getKey(), test.getValue().replace('`', '"'));
  }

  private static String junit() {
    return Arrays.stream(System.getProperty("java.class.path").split(":"))
        .filter(jar -> jar.matches(".*/(junit|opentest4j|open-test|apiguardian)[^/]*\\.jar"))
        .collect(Collectors.joining(":", "target/planted.jar:", ""));
  }

  @BeforeEach
  void forget() throws Exception {
    assertEquals(0, shell.run("rm -rf \"$HOME/cache\"").status());
  }

  @Test
  void whatPassesTwiceAloneWhereItFailedIsForgivenAndListed() throws Exception {
    parts(
        "quick | gate | | 1 | " + tests("Once"),
        "stack | deep | | 1 | touch up; " + tests("Beside") + "; rm up",
        "good  | deep | | 1 | true");
    String output =
        run(CI + "prove quick stack good || echo red; report quick stack good; list_unsteady");
    assertFalse(output.contains("\nred\n"), output);
    assertTrue(output.contains("ran  quick            2 passed, 0 failed"), output);
    String once = "UNSTEADY planted.Once#once: once fails in run 1";
    String up = "UNSTEADY planted.Beside#needs: up fails in run 1";
    assertTrue(
        output.contains(
            """
            %s
            %s
            Unsteady of those that passed: 2, see scripts/test --unsteady
            4 passed, 0 failed, 0 skipped
            %s (runs: 1, the last:\
            """
                .formatted(once, up, up)),
        output);
    assertEquals(List.of("planted.Beside#needs", "planted.Once#once"), listed());
    List<String> entry = Files.readAllLines(list().resolve("planted.Once#once"));
    assertTrue(
        entry
            .getFirst()
            .matches("[0-9a-f]{7,}\t20[0-9-]{8}\tquick\tinfra/planted\tonce fails in run 1"),
        entry.getFirst());
    assertTrue(entry.contains("[         1 tests failed          ]"), entry::toString);
    // What deep parts are known to have shown.
    assertTrue(Files.exists(cache().resolve("proven/good")));
    assertFalse(Files.exists(cache().resolve("proven/stack")));
  }

  /// Where the stack is no longer up, the first would pass.
  @Test
  void whatFailsAgainWhereItFailedIsRed() throws Exception {
    parts(
        "stack  | gate | | 1 | touch up; " + tests("OnStack") + "; rm up",
        "always | gate | | 1 | " + tests("Always"),
        "twice  | gate | | 1 | " + tests("Twice"),
        "later  | gate | | 1 | " + tests("OnStack"));
    String output = run(CI + "prove stack always twice || true; prove later");
    assertRed(output, "stack", "always", "twice");
    assertTrue(output.contains("ran  later"), output);
  }

  @Test
  void aFourthIsRed() throws Exception {
    parts("one | gate | | 1 | " + tests("Once"), "three | gate | | 1 | " + tests("Three"));
    String output = run(CI + "lanes=1; prove one three || true; report one three");
    assertTrue(output.contains("ran  one"), output);
    assertTrue(output.contains("RED  three            0 passed, 3 failed"), output);
    assertEquals(List.of("planted.Once#once"), listed());
  }

  /// Each of them passes when it is run again.
  @Test
  void whatMustBeSteadyIsRed() throws Exception {
    parts(
        "kills | gate | | 1 | strict=yes " + tests("Once"),
        "new   | gate | | 1 | " + tests("New"),
        "class | gate | | 1 | " + tests("Class"));
    String output = run(CI + "prove kills new class || true; report kills new class");
    assertRed(output, "kills", "new", "class");
    for (String name : List.of("Once#once", "New#isNew", "Class#one")) {
      assertTrue(output.contains(", it passes: planted." + name + "\n"), output);
    }
  }

  @Test
  void whatElseFailsInThePartIsRedAndSoIsATestThatIsThenSkipped() throws Exception {
    parts(
        "else | gate | | 1 | " + tests("Once") + "; false", "skip | gate | | 1 | " + tests("Skip"));
    String output = run(CI + "prove else skip || true");
    assertTrue(output.contains("RED  else             2 passed, 0 failed"), output);
    assertTrue(output.contains("RED  skip             0 passed, 1 failed"), output);
    assertEquals(List.of("planted.Once#once"), listed());
  }

  @Test
  void forAPersonItIsRedAndSaidToPass() throws Exception {
    parts("quick | gate | | 1 | " + tests("Once"));
    String output = run(RUN + "prove quick || true; report quick");
    assertRed(output, "quick");
    assertTrue(output.contains(", it passes: planted.Once#once\n"), output);
    assertTrue(output.endsWith("First failed: planted.Once#once: once fails in run 1\n"), output);
  }

  @Test
  void whileTenAreListedItIsRed() throws Exception {
    parts("quick | gate | | 1 | " + tests("Once"));
    list(IntStream.range(0, 10).mapToObj(number -> "A#a" + number).toArray(String[]::new));
    String output = run(CI + "prove quick || true");
    assertTrue(output.contains("RED  quick            1 passed, 1 failed"), output);
    assertEquals(10, listed().size());
  }

  @Test
  void whatTwoRunsHaveListedIsRedInTheThird() throws Exception {
    list(IntStream.range(0, 8).mapToObj(number -> "A#a" + number).toArray(String[]::new));
    String listing =
        """
        again=$HOME/runs reports=$HOME/runs/reports module=infra/planted; touch runs/log
        for run in 1 2 3; do
          rm -f runs/listed
          for _ in one two; do enlist $'B#b\\twhy\\tid' && echo "listed by $run"; done || true
        done
        list_unsteady | tail -n 1
        """;
    String output = run(CI + listing);
    String twice = "listed by 1\nlisted by 1\nlisted by 2\nlisted by 2\nIt must be steady";
    assertTrue(output.startsWith(twice), output);
    assertTrue(output.contains("UNSTEADY B#b: why (runs: 2, the last: "), output);
    assertFalse(output.contains("listed by 3"), output);
  }

  @Test
  void aFileIsNewForTwelveHoursAfterItsCommitAndWhereNothingCanBeSaid() throws Exception {
    String asked =
        """
        module=infra/planted
        ask() { if is_new "planted.$1"; then echo "$1 is new"; else echo "$1 is old"; fi; }
        in_clone() (
          git clone -q --depth 1 "file://$PWD" "runs/$1"
          root=$PWD/runs/$1
          ask Once
        )
        for class in New Once 'Once$Nested' None; do ask "$class"; done
        echo >>infra/planted/src/test/java/planted/Once.java
        ask Once
        git checkout -q infra
        in_clone one
        commit 13
        in_clone two
        git reset -q --hard HEAD~
        """;
    assertEquals(
        """
        New is new
        Once is old
        Once$Nested is old
        None is new
        Once is new
        Once is new
        Once is old
        """,
        run(CI + asked));
  }

  @Test
  void oneThatPassesEveryTimeComesOffTheListOnceACommitSaysTheCause() throws Exception {
    list("planted.Once#once");
    String output =
        run(
            RUN
                + """
                steady planted.Once#once 2 || true
                touch new
                steady 'Once#once' 1 || true
                rm new
                commit 24 'Unsteady: Once#once:'
                take_off planted.Once#once || true
                commit 24 $'About it.\\n\\nUnsteady: Once#once: it read before it wrote.'
                (steady Once#on) || true
                take_off planted.Once#once
                git reset -q --hard HEAD~2
                """);
    assertEquals(
        """
        Run 1 has not passed
        1 of 2 runs passed: planted.Once#once
        1 of 1 runs passed: planted.Once#once
        It stays listed: what was shown is not committed.
        It stays listed: the body of the last commit has no line 'Unsteady: Once#once: CAUSE'.
        Error: there is no test Once#on, or more than one. See scripts/bash --help
        It is no longer listed.
        """,
        output.replaceAll("passed: /.*", "passed").replaceAll(", in [0-9]+ s:", ":"));
    assertEquals(List.of(), listed());
  }

  private static String run(String lines) throws Exception {
    return shell.run(lines).output();
  }

  /// Whatever they are, nothing is listed.
  private static void assertRed(String output, String... parts) throws IOException {
    for (String part : parts) {
      assertTrue(output.contains("RED  " + part), output);
    }
    assertFalse(output.contains("UNSTEADY"), output);
    assertEquals(List.of(), listed());
  }

  private static String tests(String name) {
    return "tests infra/planted --select-class planted." + name;
  }

  private static void parts(String... lines) throws IOException {
    Files.write(folder.resolve("scripts/lib/parts"), List.of(lines));
  }

  private static Path cache() {
    return folder.resolve("cache/agent-sessions");
  }

  private static Path list() {
    return cache().resolve("unsteady");
  }

  private static void list(String... names) throws IOException {
    Files.createDirectories(list());
    for (String name : names) {
      Files.writeString(list().resolve(name), "abc\t2026-01-01\tpart\tmodule\twhy\n\nlog\n");
    }
  }

  private static List<String> listed() throws IOException {
    if (!Files.exists(list())) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(list())) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }
}
