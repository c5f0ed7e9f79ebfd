package agentsessions.scripts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.local.machine.Installation;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The npm packages of agents: exactly those of the lock files in `infra/agents`, and of their
/// install scripts only the named ones run.
final class LockedAgentsTest {
  private static final Path LOCKED = Installation.find().root().resolve("infra/agents");
  private static final String NPM =
      """
      bin=$3/node_modules/.bin
      mkdir -p $bin
      touch $bin/${3##*/}
      chmod +x $bin/${3##*/}
      """;
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"claude", "codex", "opencode", "gemini"})
  void allThatAnAgentBringsIsLockedToItsSum(String agent) throws IOException {
    JsonNode packages = json(agent, "package-lock.json").path("packages");
    for (Map.Entry<String, JsonNode> entry : packages.properties()) {
      for (String name : names(entry.getValue().path("optionalDependencies"))) {
        assertTrue(packages.has("node_modules/" + name), name + " is missing");
      }
      if (!entry.getKey().isEmpty() && isKnown(agent, entry.getValue())) {
        assertTrue(
            entry.getValue().path("integrity").asText().startsWith("sha512-"), entry::getKey);
      }
      assertTrue(entry.getValue().path("resolved").isMissingNode(), entry::getKey);
    }
    assertEquals(
        packages.path("").path("dependencies"), json(agent, "package.json").path("dependencies"));
  }

  @Test
  void onlyNamedScriptsRunAndItIsDoneOnce() throws Exception {
    ScriptMachine shell =
        ScriptMachine.with(folder).command("npm", NPM).command("cp", "exec /bin/cp \"$@\"");
    shell.command("ln", "exec /bin/ln \"$@\"");
    String install = "$scripts/tools $HOME/tools opencode codex\n";
    ScriptMachine.Ending ending = shell.run(install + install);
    assertEquals(0, ending.status(), ending.output());
    List<String> asked = shell.asked().stream().filter(line -> line.startsWith("npm")).toList();
    assertEquals(3, asked.size(), asked::toString);
    assertTrue(asked.getFirst().contains("ci ") && asked.get(2).contains("--ignore-scripts "));
    assertTrue(asked.get(1).endsWith("--ignore-scripts=false --loglevel error opencode-ai"));
    assertTrue(Files.isExecutable(folder.resolve("tools/node_modules/.bin/codex")));
  }

  /// The checksums of opencode's packages for other platforms were not available when it was
  /// locked.
  private static boolean isKnown(String agent, JsonNode locked) {
    String only = locked.path("os") + " " + locked.path("cpu") + locked.path("libc");
    return !agent.equals("opencode") || only.isBlank() || only.equals("[\"linux\"] [\"x64\"]");
  }

  private static List<String> names(JsonNode node) {
    return node.propertyStream().map(Map.Entry::getKey).toList();
  }

  private static JsonNode json(String agent, String file) throws IOException {
    return new ObjectMapper().readTree(LOCKED.resolve(agent).resolve(file).toFile());
  }
}
