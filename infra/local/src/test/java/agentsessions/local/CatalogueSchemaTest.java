package agentsessions.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.local.machine.CannotStart;
import agentsessions.local.machine.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests of the catalogue's schema: a wrong catalogue is refused with the line and the field.
final class CatalogueSchemaTest {
  private static final Installation INSTALLATION = Installation.find();
  private static final String GOOD =
      """
      one:
        description: One.
        command: [one]
        reply: {from: stdout}
      """;
  @TempDir Path folder;

  @Test
  void theProjectsOwnCatalogueIsRight() {
    Settings nothing = new Settings(0, 0, folder, Optional.empty(), Map.of(), Map.of());
    assertEquals(Map.of(), Catalogue.load(INSTALLATION, nothing).variables());
  }

  @Test
  void mistakesAreNamedWithLineAndField() {
    assertEquals(List.of(), mistakes(GOOD));
    assertMistake("line 5, /one: ", "colour", "  colour: red\n");
    assertMistake("line 5, /one/network: ", "enumeration", "  network: everything\n");
    assertMistake(
        "line 6, /two: ", "command", "two:\n  description: Two.\n  reply: {from: stdout}\n");
    assertMistake(
        "line 9, /one/model/allow/1: ",
        "pattern",
        "  model:\n    url: http://x\n    allow:\n      - POST /v1/messages\n      - FETCH /v1/files\n");
    assertMistake(
        "line 7, /one/interrupt/grace_seconds: ",
        "30",
        "  interrupt:\n    signal: INT\n    grace_seconds: 31\n");
  }

  @Test
  void textThatIsNoCatalogueIsNamedWithItsLine() {
    String nothing = "line 1: it must name at least one agent: NAME: {command: …, …}";
    assertEquals(List.of(nothing), mistakes("just text"));
    assertEquals(List.of(nothing), mistakes(""));
    assertEquals(List.of(nothing), mistakes("# nothing yet\n"));
    assertEquals(List.of(nothing), mistakes("- one\n- two\n"));
    assertMistake("line 5: ", "", "  colour: [red\n");
  }

  @Test
  void anAgentThatIsThereTwiceIsNamedWithItsLine() {
    assertMistake("line 5: ", "'one'", GOOD);
  }

  @Test
  void aTabIsOneSentence() {
    List<String> mistakes = mistakes(GOOD + "\tnetwork: none\n");
    assertEquals(1, mistakes.size(), mistakes::toString);
    assertTrue(mistakes.getFirst().startsWith("line 5: found character"), mistakes::toString);
    assertEquals(1, mistakes.getFirst().lines().count());
  }

  @Test
  void theServiceDoesNotStartWithAWrongOne() throws IOException {
    Path file = Files.writeString(folder.resolve("mine.yaml"), GOOD + "  network: all\n");
    Settings settings =
        new Settings(0, 0, folder, Optional.empty(), Map.of(Settings.AGENTS_FILE, file));
    CannotStart refusal =
        assertThrows(CannotStart.class, () -> Catalogue.load(INSTALLATION, settings));
    assertTrue(
        String.valueOf(refusal.getMessage()).startsWith(file + ": line 5, /one/network: "),
        refusal::toString);
  }

  private static void assertMistake(String begin, String word, String more) {
    List<String> mistakes = mistakes(GOOD + more);
    assertTrue(
        mistakes.stream().anyMatch(line -> line.startsWith(begin) && line.contains(word)),
        mistakes::toString);
  }

  private static List<String> mistakes(String catalogue) {
    return new CatalogueSchema(INSTALLATION.catalogueSchema()).mistakes(catalogue);
  }
}
