package agentsessions.chat.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.chat.StandIn;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests of the choice of service and key from options, environment and folders.
class AccessTest {
  private static final Access.Options NOTHING = new Access.Options(null, null, null);
  private static final String OTHER = "ask_1111111111111111_secret_111111";

  @TempDir private Path state;

  @Test
  void theServiceOfTheUsualFolderIsFoundOnWhateverPort() throws IOException {
    Path usual = served("agent-sessions", "http://127.0.0.1:9000/rest/v1");
    Access access = Access.of(NOTHING, Map.of("XDG_STATE_HOME", state.toString()));
    assertEquals(URI.create("http://127.0.0.1:9000/rest/v1"), access.base());
    assertEquals(StandIn.KEY, access.key());
    assertTrue(access.origin().contains(usual.toString()), access.origin());
    assertTrue(access.origin().contains("--data"), access.origin());
  }

  @Test
  void aNamedFolderCountsMoreThanTheEnvironment() throws IOException {
    Path other = served("other", "http://sessions.example:9000/rest/v1");
    Access access =
        Access.of(
            new Access.Options(null, null, other),
            Map.of("AGENT_SESSIONS_URL", "http://127.0.0.1:1", "AGENT_SESSIONS_KEY", OTHER));
    assertEquals(URI.create("http://sessions.example:9000/rest/v1"), access.base());
    assertEquals(StandIn.KEY, access.key());
    assertEquals(List.of("--data", other.toString()), access.options());
  }

  @Test
  void theEnvironmentMayNameTheUsualFolder() throws IOException {
    served("agent-sessions", "http://127.0.0.1:8080/rest/v1");
    Path other = served("other", "http://127.0.0.1:4566/_aws/rest/v1");
    Map<String, String> environment =
        Map.of("XDG_STATE_HOME", state.toString(), "AGENT_SESSIONS_DATA", other.toString());
    Access access = Access.of(NOTHING, environment);
    assertEquals(URI.create("http://127.0.0.1:4566/_aws/rest/v1"), access.base());
    assertEquals(List.of(), access.options());
    Access.Options elsewhere = new Access.Options("http://sessions.example", null, null);
    assertThrows(ChatFailure.class, () -> Access.of(elsewhere, environment));
  }

  @Test
  void aServiceForOthersIsReachedByItsOwnAddressAndSoAreItsLinks() throws IOException {
    Path folder = served("other", "https://agents.example/rest/v1");
    Files.writeString(folder.resolve("local-url"), "http://127.0.0.1:9000/rest/v1\n");
    Access access = Access.of(new Access.Options(null, null, folder), Map.of());
    assertEquals(URI.create("http://127.0.0.1:9000/rest/v1"), access.base());
    assertEquals(
        URI.create("http://127.0.0.1:9000/a/b?c=%3D&d"),
        access.here(URI.create("https://agents.example/a/b?c=%3D&d")));
    URI foreign = URI.create("https://agents.example.org/a");
    assertEquals(foreign, access.here(foreign));
    assertFalse(access.covers(access.here(foreign)));
  }

  @Test
  void whoNamesThePublicUrlUsesIt() throws IOException {
    Path folder = served("other", "https://agents.example/rest/v1");
    Files.writeString(folder.resolve("local-url"), "http://127.0.0.1:9000/rest/v1\n");
    Access access = Access.of(new Access.Options("https://agents.example", null, folder), Map.of());
    assertEquals(URI.create("https://agents.example/rest/v1"), access.base());
    URI link = URI.create("https://agents.example/a");
    assertEquals(link, access.here(link));
  }

  @Test
  void whatIsTypedAgainIsAWordOfAShellEach() {
    Access.Options typed = new Access.Options("https://a.example", null, Path.of("my 'data'"));
    assertEquals(
        List.of("--url", "https://a.example", "--data", "'my '\\''data'\\'''"), typed.typed());
  }

  @Test
  void theKeyOfThisMachineIsNotSentElsewhere() throws IOException {
    served("agent-sessions", "http://127.0.0.1:8080/rest/v1");
    Access.Options elsewhere = new Access.Options("http://sessions.example", null, null);
    Map<String, String> environment = Map.of("XDG_STATE_HOME", state.toString());
    assertThrows(ChatFailure.class, () -> Access.of(elsewhere, environment));
  }

  @Test
  void aFolderWithoutAServiceIsSaid() {
    ChatFailure failure =
        assertThrows(
            ChatFailure.class, () -> Access.of(new Access.Options(null, null, state), Map.of()));
    assertEquals("No service has run on the data folder " + state, failure.reason());
  }

  private Path served(String name, String base) throws IOException {
    Path folder = Files.createDirectories(state.resolve(name));
    Files.writeString(folder.resolve("base-url"), base + "\n");
    Files.writeString(folder.resolve("local-key"), StandIn.KEY + "\n");
    return folder;
  }
}
