package agentsessions.runner.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.runner.capture.Globs;
import agentsessions.runner.sandbox.process.Spawner;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Rules of this module that no turn of less than a minute shows.
class RulesTest {

  /// Die-with-parent is about the thread that forked: were it virtual or did it end, every turn of
  /// more than 30 s would be killed.
  @Test
  void oneLastingPlatformThreadStartsEveryProcess() throws Exception {
    Thread spawner = Spawner.thread();
    Process process = Spawner.start(new ProcessBuilder("true"));
    assertEquals(0, process.waitFor());
    assertThrows(Exception.class, () -> Spawner.start(new ProcessBuilder("/no/such/program")));
    assertFalse(spawner.isVirtual());
    assertTrue(spawner.isAlive());
    assertSame(spawner, Spawner.thread());
  }

  @Test
  void noClientOfAwsIsOnTheClassPath() {
    Stream.of(
            "core.SdkClient",
            "services.s3.S3Client",
            "services.dynamodb.DynamoDbClient",
            "auth.credentials.AwsCredentials")
        .map(name -> "software.amazon.awssdk." + name)
        .forEach(name -> assertThrows(ClassNotFoundException.class, () -> Class.forName(name)));
  }

  @Test
  void doubleStarStandsForNoFolderToo() {
    Globs plans = Globs.of(Stream.of("plans/**/*.md", "**/x/**/y"));
    assertTrue(
        List.of("plans/a.md", "plans/b/c/d.md", "x/y", "a/x/b/y").stream()
            .map(Path::of)
            .allMatch(plans::match));
    assertFalse(plans.match(Path.of("a/plans/b.md")));
  }

  @Test
  void templateTakesDefaultsForWhatIsMissingOrEmpty() throws TurnFailed {
    Map<String, String> values = Map.of("A", "1$", "E", "");
    assertEquals(
        "1$ 2  {env:A} $A", new CatalogueTemplate("${A} ${B:-2} ${E:-} {env:A} $A").fill(values));
    assertThrows(TurnFailed.class, () -> new CatalogueTemplate("${B}").fill(values));
  }

  @Test
  void clippedTextIsWholeCharacters() {
    assertEquals("aü", Utf8.clip("aüx", 3));
    assertEquals("a", Utf8.clip("aü", 2));
    assertEquals("a", Utf8.clip("a😀", 4));
    assertEquals("?", Utf8.clip("\ud83d", 4));
  }

  @Test
  void colorsOfATerminalAreLeftOut() {
    assertEquals("red text", Utf8.plain("\u001B[31;1mred\u001B[0m text\u001B[K\n"));
  }
}
