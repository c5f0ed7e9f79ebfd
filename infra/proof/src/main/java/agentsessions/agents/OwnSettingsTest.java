package agentsessions.agents;

import static org.junit.jupiter.api.Assertions.assertEquals;

import agentsessions.talk.Client;
import agentsessions.talk.PresignedLink;
import agentsessions.talk.SessionHandle;
import agentsessions.talk.TurnHandle;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The settings that a real agent has of its own, in its workspace and in HOME, where the session
/// has permissions: whatever they name, nothing runs that nobody is told of.
@Tag("agents")
@Execution(ExecutionMode.CONCURRENT)
@ExtendWith(SharedScriptedService.class)
final class OwnSettingsTest {
  private static final String NEXT = "[[sh echo one >one.txt]]";
  private static final Pattern MARK = Pattern.compile("/workspace/marks/ran-([a-z_-]+)");
  private static final Map<String, Object> NOTHING_FORBIDDEN =
      Map.of("rules", List.of(Map.of("match", "*forbidden*", "policy", "deny")));

  /// codex ends by itself: a provider must not have a helper beside the variable with its key.
  @ParameterizedTest
  @CsvSource({
    "claude,completed,bash_profile bashrc file path shell variable workspace-key workspace-server",
    "codex,failed,bash_profile home-notice key variable workspace-server",
    "gemini,completed,bashrc extension-hook extension-server prompt variable",
    "opencode,completed,folder home home-server"
  })
  void theyStartNothingThatNobodyIsToldOf(
      String agent, String end, String effects, ScriptedService scripted) throws IOException {
    Client client = scripted.clientOf(agent);
    Map<String, Object> work = new HashMap<>();
    work.put("files", List.of(Map.of("path", "settings.sh", "content", settings())));
    SessionHandle session = client.create(agent, "[[sh bash settings.sh]]", work);
    session.first().completed();
    TurnHandle free = session.send(NEXT);
    JsonNode _ = free.ended();
    assertEquals(
        Set.of(effects.split(" ", -1)), ran(session, free), "what has an effect in this version");
    client.patch(session.path(), Map.of("permissions", NOTHING_FORBIDDEN)).ok();
    TurnHandle gated = session.send(NEXT);
    JsonNode page = gated.ended();
    assertEquals(end, page.at("/thread/status").asText(), page::toString);
    assertEquals(Set.of(), ran(session, gated));
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

  /// What has left a mark in this turn.
  private static Set<String> ran(SessionHandle session, TurnHandle turn) {
    Set<String> ran = new TreeSet<>();
    for (JsonNode file : session.client().get(session.path() + "/artifacts").ok().get("items")) {
      Matcher mark = MARK.matcher(file.get("file_path").asText());
      if (mark.matches() && turn.id().equals(file.get("thread_id").asText())) {
        ran.add(mark.group(1));
      }
    }
    return ran;
  }

  private static String settings() throws IOException {
    try (InputStream text =
        Objects.requireNonNull(OwnSettingsTest.class.getResourceAsStream("own-settings.sh"))) {
      return new String(text.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
