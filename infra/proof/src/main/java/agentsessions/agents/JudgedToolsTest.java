package agentsessions.agents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.talk.Client;
import agentsessions.talk.PresignedLink;
import agentsessions.talk.SessionHandle;
import agentsessions.talk.TurnHandle;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The real agents under a session's permissions: what is denied does not run, and the agent is
/// told why; what gets around the hook ends the turn.
@Tag("agents")
@ExtendWith(SharedScriptedService.class)
final class JudgedToolsTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Map<String, Object> NOTHING_FORBIDDEN =
      Map.of(
          "permissions",
          Map.of("rules", List.of(Map.of("match", "*forbidden*", "policy", "deny"))));
  private static final Map<String, Object> ASKED =
      Map.of("permissions", Map.of("rules", List.of(Map.of("kind", "execute", "policy", "ask"))));

  @ParameterizedTest
  @CsvSource({
    "claude, Bash, Write, file_path",
    "gemini, run_shell_command, write_file, file_path",
    "opencode, bash, , "
  })
  void whatIsDeniedDoesNotRunAndTheAgentGoesOn(
      String agent,
      String shell,
      @Nullable String write,
      @Nullable String path,
      ScriptedService scripted)
      throws IOException {
    Client client = scripted.clientOf(agent);
    String calls =
        "[[call %1$s {\"command\": \"echo one >a.txt\", \"description\": \"d\"}]] [[call %1$s {\"command\": \"echo forbidden >b.txt\", \"description\": \"d\"}]]"
            .formatted(shell);
    if (write != null) {
      calls +=
          " [[call %s {\"%s\": \"/workspace/c.txt\", \"content\": \"forbidden\"}]]"
              .formatted(write, path);
    }
    SessionHandle session = client.create(agent, calls + " [[results]]", NOTHING_FORBIDDEN);
    TurnHandle turn = session.first();
    String results = turn.completed();
    assertEquals("one\n", PresignedLink.content(session.artifactAt("/workspace/a.txt")));
    assertFalse(files(session).contains("b.txt"), () -> files(session));
    assertFalse(files(session).contains("c.txt"), () -> files(session));
    List<String> ends = ends(turn);
    assertEquals(write == null ? List.of("ok", "failed") : List.of("ok", "failed", "failed"), ends);
    assertTrue(
        results.contains("The permissions of this session do not allow this call of " + shell),
        results);
  }

  /// The first command, which is allowed, leaves a job that kills each hook. An agent takes a
  /// killed hook for none. Whatever the timing, nothing forbidden runs in a turn that completes.
  @ParameterizedTest
  @CsvSource({"claude, Bash", "gemini, run_shell_command"})
  void whoKillsTheHookIsFoundOut(String agent, String shell, ScriptedService scripted) {
    Client client = scripted.clientOf(agent);
    String killer =
        "(while :; do for p in /proc/[0-9]*; do a=; { read -r -d '' a; read -r -d '' a; read -r -d '' a; } <$p/cmdline; case $a in /opt/gate/ask) kill -9 ${p#/proc/};; esac; done; done) >/dev/null 2>&1 </dev/null &";
    String command = "[[call %s {\"command\": \"%s\", \"description\": \"d\"}]] ";
    String message = command.formatted(shell, killer);
    for (int times = 0; times < 5; times++) {
      message += command.formatted(shell, "echo forbidden >b.txt");
    }
    SessionHandle session = client.create(agent, message + "[[say Done.]]", NOTHING_FORBIDDEN);
    JsonNode thread = session.first().ended().path("thread");
    String end = thread.path("status").asText() + " " + thread.at("/error/code").asText();
    assertEquals(
        files(session).contains("b.txt"), end.equals("failed UNAPPROVED_CALL"), thread::toString);
  }

  @ParameterizedTest
  @CsvSource({"claude, Bash", "gemini, run_shell_command", "opencode, bash"})
  void aPersonDecidesWhileTheAgentWaits(String agent, String shell, ScriptedService scripted)
      throws IOException {
    Client client = scripted.clientOf(agent);
    String call = "[[call %s {\"command\": \"echo one >%s.txt\", \"description\": \"d\"}]] ";
    SessionHandle session =
        client.create(
            agent, call.formatted(shell, "a") + call.formatted(shell, "b") + "[[results]]", ASKED);
    decide(session, "a.txt", Map.of("decision", "allow"));
    decide(session, "b.txt", Map.of("decision", "deny", "note", "not on a Friday"));
    String results = session.first().completed();
    assertTrue(results.contains("Denied: not on a Friday"), results);
    assertEquals("one\n", PresignedLink.content(session.artifactAt("/workspace/a.txt")));
    assertFalse(files(session).contains("b.txt"), () -> files(session));
    assertEquals(List.of("ok", "failed"), ends(session.first()));
  }

  /// An agent that is stopped must not take its waiting hook for one that says nothing.
  @ParameterizedTest
  @CsvSource({"claude, Bash", "gemini, run_shell_command", "opencode, bash"})
  void anInterruptRunsNothingThatWaits(String agent, String shell, ScriptedService scripted)
      throws IOException {
    Client client = scripted.clientOf(agent);
    String call = "[[call %s {\"command\": \"%s\", \"description\": \"d\"}]]";
    SessionHandle session = client.create(agent, call.formatted(shell, "echo one >a.txt"), ASKED);
    pending(session, "a.txt");
    client.send("POST", session.path() + "/interrupt", null).ok();
    session.send(call.formatted(shell, "echo *.txt >b"));
    decide(session, "*.txt", Map.of("decision", "allow"));
    client.await("a file").until(() -> files(session), names -> names.contains("/workspace/b"));
    assertEquals("*.txt\n", PresignedLink.content(session.artifactAt("/workspace/b")));
  }

  /// Decides the session's pending request, once it is the one with this text.
  private static void decide(SessionHandle session, String text, Map<String, String> decision) {
    JsonNode request = pending(session, text);
    session.client().post(request.at("/_links/decision/href").asText(), decision).ok();
  }

  private static JsonNode pending(SessionHandle session, String text) {
    String inbox = "/requests?session_id=" + session.id();
    return session
        .client()
        .await("a request about " + text)
        .until(
            () -> session.client().get(inbox).ok().at("/items/0"),
            item -> item.at("/tool/input").toString().contains(text));
  }

  private static String files(SessionHandle session) {
    return session.client().get(session.path() + "/artifacts").ok().toString();
  }

  private static List<String> ends(TurnHandle turn) throws IOException {
    List<String> ends = new ArrayList<>();
    for (String row : turn.toolCalls()) {
      ends.add(JSON.readTree(row).path("status").asText());
    }
    return ends.stream().filter(status -> !status.isEmpty()).toList();
  }
}
