package agentsessions.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.local.machine.CannotStart;
import agentsessions.table.Layout;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/// Tests of the refusals of scripts/start, for options and data that it cannot start with.
class MainTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter errors = new StringWriter();

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"-h", "--help"})
  void helpNamesEveryOption(String option) {
    assertEquals(0, run(option));
    assertTrue(out.toString().contains("--data=DIR"), out::toString);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-V", "--version"})
  void theVersionIsPrinted(String option) {
    assertEquals(0, run(option));
    assertTrue(out.toString().startsWith("Agent Sessions "), out::toString);
  }

  @Test
  void toolsThatAreNotThereAreRefused() {
    assertEquals(1, run("--data", folder.toString(), "--tools", "/nonexistent"));
    assertEquals("Error: There is no folder /nonexistent (--tools)", errors.toString().strip());
  }

  @ParameterizedTest
  @ValueSource(strings = {"--host=127.0.0.1", "--public-url=https://agents.example.org"})
  void forUseByOthersBothOptionsAreNeeded(String option) {
    assertEquals(2, run("--data", folder.toString(), option));
    assertEquals("Error: --host and --public-url go together", errors.toString().strip());
  }

  @Test
  void anEngineThatThereIsNotIsRefused() {
    assertEquals(1, run("--data", folder.toString(), "--engine", "fargate"));
    assertEquals("Error: --engine must be process or container", errors.toString().strip());
  }

  @Test
  void aServiceWithoutAnyTurnsIsRefused() {
    assertEquals(1, run("--data", folder.toString(), "--max-live-turns", "0"));
    assertEquals("Error: --max-live-turns must be at least 1", errors.toString().strip());
  }

  @Test
  void aHostThatCannotBeOneIsRefused() {
    assertEquals(
        1, run("--data", folder.toString(), "--allow-hosts", "example.com,https://example.org"));
    assertEquals(
        "Error: https://example.org cannot be a host: write host, *.host or host:port (--allow-hosts)",
        errors.toString().strip());
  }

  /// Data of another format, or without one, as in the time before formats.
  @ParameterizedTest
  @ValueSource(strings = {"format", "dynamodb/data"})
  void dataOfAnotherFormatIsRefusedAndLeftAsItIs(String file) throws IOException {
    Path kept = folder.resolve(file);
    Files.createDirectories(kept.resolveSibling(""));
    Files.writeString(kept, "0");
    Set<Path> before = files();
    assertEquals(1, run("--data", folder.toString()));
    assertEquals(
        ("Error: The data in %s is of format 0, and this version reads format %d: start the version"
                + " that wrote it, or begin with another folder (--data)")
            .formatted(folder, Layout.FORMAT),
        errors.toString().strip());
    assertEquals(before, files());
    assertEquals("0", Files.readString(kept));
  }

  @Test
  void anUnknownOptionIsNotUnderstood() {
    assertEquals(2, run("--prot", "1"));
    assertEquals(
        "Error: Unknown options: '--prot', '1'\nSee scripts/start --help\n", errors.toString());
  }

  @Test
  void onlyARefusalIsNotTriedAgain() {
    assertEquals(1, Main.status(new CannotStart("Port 1 is in use")));
    assertEquals(Main.BROKEN_OFF, Main.status(CannotStart.forNow("the database died")));
    assertEquals(Main.BROKEN_OFF, Main.status(new IllegalStateException("a call was broken off")));
  }

  /// All files but the lock, into which each start writes its process id.
  private Set<Path> files() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> !file.endsWith(".lock")).collect(Collectors.toSet());
    }
  }

  private int run(String... arguments) {
    CommandLine command = Main.command();
    return command
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(errors, true))
        .execute(arguments);
  }
}
