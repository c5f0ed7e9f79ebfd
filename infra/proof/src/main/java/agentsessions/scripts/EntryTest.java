package agentsessions.scripts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The entry point of a task's image. A caller that may start a task may set any variable of its
/// containers; none of them runs code there, and none changes the confinement of an agent.
final class EntryTest {
  private static final Map<String, String> FIXED =
      Map.of(
          "AGENTS_FILE", "/opt/agent-sessions/agents.yaml",
          "ISOLATION", "task",
          "KEYS_AT", "http://127.0.0.1:9009",
          "LC_ALL", "C.UTF-8",
          "PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
          "SANDBOXES", "/sandboxes",
          "SANDBOX_ROOT", "/",
          "TOOLS", "/opt/agents");

  private static final Set<String> OF_ANY_SHELL = Set.of("PWD", "OLDPWD", "SHLVL", "_");

  @TempDir Path folder;
  private Path entry;

  /// The JVM is a stub that prints its environment.
  @BeforeEach
  void image() throws IOException {
    Path java = Files.writeString(folder.resolve("java"), "#!/bin/sh\n/usr/bin/env -0\n");
    boolean _ = java.toFile().setExecutable(true);
    String script =
        Files.readString(ScriptMachine.SCRIPTS.resolveSibling("infra/runner/task/entry"))
            .replace("/opt/java/openjdk/bin/java", java.toString());
    entry = Files.writeString(folder.resolve("entry"), script);
    boolean _ = entry.toFile().setExecutable(true);
  }

  @Test
  void runnerIsToldItsTurnAndNothingThatWouldRun() throws Exception {
    Map<String, String> turn =
        Map.of(
            "TICKET", "ticket",
            "URL", "https://here",
            "ATTEMPT", "1",
            "SESSION_ID", "session",
            "TASK_SECRET", "secret of two words\nand lines",
            "IDLE_SECONDS", "300",
            "TASK_SECONDS", "28800");
    assertEquals(with(turn), begun("runner", turn));
  }

  @Test
  void proxyHasTheKeysAndItsSecretAndNoModelElsewhere() throws Exception {
    Map<String, String> keys = Map.of("MODEL_KEYS", "{}", "TASK_SECRET", "secret");
    assertEquals(with(keys), begun("proxy", keys));
  }

  private static Map<String, String> with(Map<String, String> given) {
    Map<String, String> all = new TreeMap<>(FIXED);
    all.putAll(given);
    return all;
  }

  /// The environment of the JVM, where the container also has every dangerous variable.
  private Map<String, String> begun(String as, Map<String, String> given) throws Exception {
    Path trace = folder.resolve("ran");
    String run = "echo ran >>" + trace;
    Path file = Files.writeString(folder.resolve("file"), run + "\n");
    ProcessBuilder builder = new ProcessBuilder(entry.toString(), as);
    builder.environment().clear();
    builder.environment().putAll(given);
    builder
        .environment()
        .putAll(
            Map.of(
                "BASH_ENV", file.toString(),
                "BASH_FUNC_exec%%", "() { " + run + "; }",
                "SHELLOPTS", "xtrace",
                "PS4", "$(" + run + ")",
                "JAVA_TOOL_OPTIONS", "-XX:OnError=x",
                "JDK_JAVA_OPTIONS", "-javaagent:x",
                "ANTHROPIC_BASE_URL", "https://elsewhere",
                "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "/v2/credentials/one",
                "ISOLATION", "none",
                "PATH", folder.toString()));
    builder.environment().put("AGENTS_FILE", file.toString());
    ScriptMachine.Ending ending = ScriptMachine.ending(builder.redirectErrorStream(true).start());
    assertEquals(0, ending.status(), ending.output());
    assertFalse(Files.exists(trace), ending.output());
    return Stream.of(ending.output().split("\0"))
        .map(variable -> variable.split("=", 2))
        .filter(variable -> !OF_ANY_SHELL.contains(variable[0]))
        .collect(Collectors.toMap(variable -> variable[0], variable -> variable[1]));
  }
}
