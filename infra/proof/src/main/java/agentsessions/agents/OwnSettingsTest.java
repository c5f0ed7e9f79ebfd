package agentsessions.agents;

import static org.junit.jupiter.api.Assertions.assertEquals;

import agentsessions.talk.Client;
import agentsessions.talk.PresignedLink;
import agentsessions.talk.SessionHandle;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The settings that a real agent has of its own, in its workspace and in HOME, where the session
/// has permissions: whatever they name, nothing runs that nobody is told of.
@Tag("agents")
@ExtendWith(SharedScriptedService.class)
final class OwnSettingsTest {
  private static final Pattern RAN = Pattern.compile("/workspace/ran-([a-z-]+)");
  private static final Map<String, Object> NOTHING_FORBIDDEN =
      Map.of("rules", List.of(Map.of("match", "*forbidden*", "policy", "deny")));

  /// codex ends by itself: a provider must not have a helper beside the variable with its key.
  @ParameterizedTest
  @CsvSource({
    "claude,completed,file path shell variable workspace-key workspace-server",
    "codex,failed,home-notice key workspace-server",
    "gemini,completed,bashrc extension-hook extension-server variable",
    "opencode,completed,folder home home-server"
  })
  void theyStartNothingThatNobodyIsToldOf(
      String agent, String end, String effects, ScriptedService scripted) throws IOException {
    Client client = scripted.clientOf(agent);
    Map<String, Object> work = new HashMap<>();
    work.put("files", List.of(Map.of("path", "settings.sh", "content", settings())));
    SessionHandle free = client.create(agent, "[[sh bash settings.sh]]", work);
    String _ = endOfTheNext(free);
    assertEquals(Set.of(effects.split(" ", -1)), ran(free), "what has an effect in this version");
    work.put("permissions", NOTHING_FORBIDDEN);
    SessionHandle session = client.create(agent, "[[sh bash settings.sh]]", work);
    assertEquals(end, endOfTheNext(session));
    assertEquals(Set.of(), ran(session));
  }

  /// Where the gate keeps the agent's settings.
  @Test
  void aProgramOfOpencodeHasItsOwnFoldersOfSettings(ScriptedService scripted) {
    SessionHandle session =
        scripted
            .clientOf("opencode")
            .create(
                "opencode",
                "[[sh echo $XDG_CONFIG_HOME >where]]",
                Map.of("permissions", NOTHING_FORBIDDEN));
    session.first().completed();
    String where = PresignedLink.content(session.artifactNamed("where"));
    assertEquals("/home/agent/.config", where.strip());
  }

  private static String endOfTheNext(SessionHandle session) {
    session.first().completed();
    return session.send("[[sh echo one >one.txt]]").ended().at("/thread/status").asText();
  }

  private static Set<String> ran(SessionHandle session) {
    String files = session.client().get(session.path() + "/artifacts").ok().toString();
    return RAN.matcher(files)
        .results()
        .map(found -> found.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String settings() throws IOException {
    try (InputStream text =
        Objects.requireNonNull(OwnSettingsTest.class.getResourceAsStream("own-settings.sh"))) {
      return new String(text.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
