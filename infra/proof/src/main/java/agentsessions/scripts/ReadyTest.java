package agentsessions.scripts;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The cache of loaded classes: used only while it is complete and belongs to the present JDK, its
/// options and jars; without one everything works as well.
final class ReadyTest {
  private static final String READY =
      "root=$HOME JAVA_HOME=$HOME/jdk; . $scripts/lib/ready.sh; trial() { keep_cache it module; }\n";
  private static final String MAKE = READY + "look it module || try_out trial '1/2, it'\n";
  private static final String LOOK =
      READY + "if look it module; then echo known ${cached[*]}; else echo unknown; fi";
  private static final String MAKES =
      "for word; do case $word in -XX:AOTCache=*) echo made >${word#*=} ;; esac; done";
  @TempDir Path folder;
  private ScriptMachine shell;

  @BeforeEach
  void jars() throws IOException {
    shell = ScriptMachine.with(folder).command("java", MAKES);
    for (String file :
        List.of(
            "jdk/release",
            "infra/local/jvm.options",
            "module/target/it.jar",
            "module/target/lib/a.jar")) {
      Files.createDirectories(folder.resolve(file).getParent());
      Files.writeString(folder.resolve(file), "of " + file);
    }
  }

  @Test
  void oneIsMadeOnceAndUsed() throws Exception {
    assertEquals("unknown\n", shell.run(LOOK).output());
    assertEquals(
        "Getting ready for faster starts, once: 1/2, it ...\n", shell.run(MAKE + MAKE).output());
    String option = "-XX:AOTCache=" + folder.resolve("target/ready/it.aot");
    assertEquals("known " + option + " -Xlog:disable\n", shell.run(LOOK).output());
    assertEquals(2, shell.asked().size(), "made, and tried");
    try (Stream<Path> kept = Files.list(folder.resolve("target/ready"))) {
      assertEquals(2, kept.count());
    }
    assertEquals("known\n", shell.run("AGENT_SESSIONS_CACHES=no\n" + LOOK).output());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "target/ready/it.aot",
        "target/ready/it.sums",
        "jdk/release",
        "infra/local/jvm.options",
        "module/target/it.jar",
        "module/target/lib/a.jar",
        "module/target/lib/more.jar"
      })
  void aDamagedOrForeignOneIsNotUsedAndIsMadeAnew(String changed) throws Exception {
    assertEquals(0, shell.run(MAKE).status());
    Files.writeString(folder.resolve(changed), "changed");
    assertEquals("unknown\n", shell.run(LOOK).output());
    assertEquals(0, shell.run(MAKE).status());
    assertEquals(4, shell.asked().size());
  }

  @Test
  void oneByWhichAJvmCrashesIsNotKept() throws Exception {
    shell.command("java", "case $* in *-version) exit 134 ;; esac; " + MAKES);
    assertEquals(0, shell.run(MAKE).status());
    assertEquals("known\n", shell.run(LOOK).output());
  }

  @Test
  void whatCannotBeMadeIsNotTriedAgain() throws Exception {
    shell.command("java", "exit 1");
    assertEquals(0, shell.run(MAKE).status());
    assertEquals("known\n", shell.run(LOOK).output());
  }

  @Test
  void whereNothingCanBeKeptNothingIsTried() throws Exception {
    Files.writeString(folder.resolve("target"), "in the way");
    assertEquals(new ScriptMachine.Ending(0, ""), shell.run(MAKE));
    assertEquals(List.of(), shell.asked());
  }
}
