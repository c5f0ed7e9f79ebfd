package agentsessions.scripts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A build removes the jars of dependencies that its poms no longer name: a JVM would load them,
/// since it loads the whole folder.
final class BuildTest {
  private static final String BUILD =
      "cd \"$HOME\"; . $scripts/lib/build.sh; build functions/it || true";
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final List<String> JARS =
      List.of("functions/it/target/it.jar", "functions/it/target/lib/a.jar");

  @TempDir Path folder;
  private ScriptMachine shell;

  @BeforeEach
  void built() throws IOException {
    shell = ScriptMachine.with(folder).command("mvn", "true");
    for (String name : List.of("find", "sort")) {
      shell.command(name, "PATH=/usr/bin:/bin exec " + name + " \"$@\"");
    }
    for (String file :
        List.of("pom.xml", "functions/it/pom.xml", "infra/a", JARS.get(0), JARS.get(1))) {
      Files.createDirectories(folder.resolve(file).getParent());
      Files.writeString(folder.resolve(file), file);
      touch(file, NOW);
    }
    touch("functions/it/target/lib", NOW);
  }

  @ParameterizedTest
  @ValueSource(strings = {"pom.xml", "functions/it/pom.xml"})
  void jarsOfAnOlderPomAreGone(String pom) throws Exception {
    touch(pom, NOW.plusSeconds(1));
    assertEquals(0, shell.run(BUILD).status());
    for (String jar : JARS) {
      assertFalse(Files.exists(folder.resolve(jar)), jar);
    }
  }

  @Test
  void othersStay() throws Exception {
    Files.writeString(folder.resolve("infra/a"), "changed");
    assertEquals(0, shell.run(BUILD).status());
    for (String jar : JARS) {
      assertTrue(Files.exists(folder.resolve(jar)), jar);
    }
  }

  private void touch(String file, Instant time) throws IOException {
    Path _ = Files.setLastModifiedTime(folder.resolve(file), FileTime.from(time));
  }
}
