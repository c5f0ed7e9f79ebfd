package agentsessions.scripts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.local.machine.Installation;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// The workflows and dependency updates that a code host runs: every file and script that they name
/// exists.
final class WorkflowsTest {
  private static final Path ROOT = Installation.find().root();
  private static final Path WORKFLOWS = ROOT.resolve(".github/workflows");
  private static final Map<String, String> MANIFESTS =
      Map.of(
          "maven", "pom.xml",
          "npm", "package.json",
          "pip", "requirements.txt",
          "gomod", "go.mod",
          "docker", "Dockerfile",
          "github-actions", ".github/workflows");

  static List<Path> workflows() throws IOException {
    try (Stream<Path> files = Files.list(WORKFLOWS)) {
      return files.sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("workflows")
  void everyWorkflowIsWithoutFault(Path file) throws IOException {
    assertEquals(List.of(), workflow(file.getFileName().toString()).faults());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ci.yml      | jobs:                   | jobs: ]                  | it is no YAML",
        "ci.yml      | permissions:            | permission:              | it says no permissions",
        "ci.yml      | timeout-minutes: 90     | timeout: 90              | a job may take for ever",
        "ci.yml      | 'debian:12'             | 'registry.example.org/a' | it names a host",
        "ci.yml      | .ci/run $PART           | .ci/ran $PART            | .ci/ran is no command",
        "ci.yml      | apt-get -qq update      | curl -o x y              | curl is no command",
        "deep.yml    | workflows/ci.yml        | workflows/no.yml         | ./.github/workflows/no.yml is not there",
        "deep.yml    | on:                     | when:                    | nothing starts it",
        "release.yml | ${{ github.token }}     | ${{ secrets.TOKEN }}     | it uses a secret",
        "release.yml | @11bd71901bbe5b1630ceea73d27597364c9af683 | @v4    | actions/checkout@v4 is not pinned",
        "release.yml | run: .ci/release        | run: README.md           | README.md is no command"
      },
      quoteCharacter = '`')
  void aPlantedFaultIsFound(String file, String right, String wrong, String fault)
      throws IOException {
    String text = workflow(file).text();
    assertTrue(text.contains(right), right);
    String planted = text.replaceFirst(Pattern.quote(right), Matcher.quoteReplacement(wrong));
    assertEquals(List.of(fault), new Workflow(ROOT, planted).faults());
  }

  @Test
  void theDeepPartsOfTheScheduleAreThoseOfTheProof() throws Exception {
    List<String> scheduled =
        workflow("deep.yml")
            .job("deep")
            .at("/strategy/matrix/part")
            .valueStream()
            .map(JsonNode::asText)
            .toList();
    List<String> deep =
        Files.readAllLines(ROOT.resolve("scripts/lib/parts")).stream()
            .filter(line -> !line.startsWith("#"))
            .map(line -> line.split("\\|", -1))
            .filter(columns -> columns[1].strip().equals("deep"))
            .map(columns -> columns[0].strip())
            .toList();
    assertEquals(deep, scheduled);
  }

  @Test
  void whatIsUpdatedIsThere() throws IOException {
    JsonNode updates =
        new YAMLMapper()
            .readTree(Files.readString(ROOT.resolve(".github/dependabot.yml")))
            .path("updates");
    assertFalse(updates.isEmpty());
    for (JsonNode update : updates) {
      String manifest = MANIFESTS.getOrDefault(update.path("package-ecosystem").asText(), "?");
      for (String folder : folders(update)) {
        assertTrue(Files.exists(ROOT.resolve(folder).resolve(manifest)), update::toString);
      }
    }
  }

  /// The folders of an update without their first slash, which stands for the project.
  private static List<String> folders(JsonNode update) {
    return Stream.concat(
            update.path("directories").valueStream(), Stream.of(update.path("directory")))
        .filter(JsonNode::isTextual)
        .map(folder -> folder.asText().substring(1))
        .toList();
  }

  private static Workflow workflow(String name) throws IOException {
    return new Workflow(ROOT, Files.readString(WORKFLOWS.resolve(name)));
  }
}
