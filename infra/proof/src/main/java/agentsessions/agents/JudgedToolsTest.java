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
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The real agents under a session's permissions: what is denied does not run, and the agent is
/// told why; what gets around the hook ends the turn. Most of the time they wait, so several do at
/// once.
@Tag("agents")
@Execution(ExecutionMode.CONCURRENT)
@ExtendWith(SharedScriptedService.class)
final class JudgedToolsTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Map<String, Object> NOTHING_FORBIDDEN =
      Map.of(
          "permissions",
          Map.of("rules", List.of(Map.of("match", "*forbidden*", "policy", "deny"))));
  private static final Map<String, Object> PARKED =
      Map.of(
          "permissions",
          Map.of(
              "rules",
              List.of(Map.of("kind", "execute", "policy", "ask")),
              "hold_seconds",
              0,
              "expires_in_days",
              7));
  private static final Map<String, Object> ASKED =
      Map.of("permissions", Map.of("rules", List.of(Map.of("kind", "execute", "policy", "ask"))));

  private static final String CALL = "[[sh echo one >>a.txt]] ";

  /// A question of each agent, as a call.
  private static final String QUESTIONS =
      """
      claude   | AskUserQuestion {"questions": [{"question": "Which colour?", "header": "Colour", "multiSelect": false, "options": [{"label": "Blue", "description": "b"}, {"label": "Red", "description": "r"}]}]}
      codex    | functions.request_user_input {"questions": [{"id": "c", "question": "Which colour?", "header": "Colour", "options": [{"label": "Blue", "description": "b"}, {"label": "Red", "description": "r"}]}]}
      codex    | functions.request_user_input_async {"questions": [{"title": "Which colour?", "options": ["Blue", "Red"]}]}
      gemini   | discovered_tool_ask_user {"questions": [{"question": "Which colour?", "multiSelect": false, "options": [{"label": "Blue", "description": "b"}, {"label": "Red", "description": "r"}]}]}
      opencode | ask_user {"questions": [{"question": "Which colour?", "multiSelect": false, "options": [{"label": "Blue", "description": "b"}, {"label": "Red", "description": "r"}]}]}
      """;

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '#',
      delimiter = '|',
      textBlock =
          """
          claude   | Bash              | Write {"file_path": "c.txt", "content": "forbidden"}
          codex    | Bash              | apply_patch "*** Begin Patch\\n*** Add File: c.txt\\n+forbidden\\n*** End Patch\\n"
          gemini   | run_shell_command | write_file {"file_path": "c.txt", "content": "forbidden"}
          opencode | bash              | apply_patch {"patchText": "*** Begin Patch\\n*** Add File: c.txt\\n+forbidden\\n*** End Patch\\n"}
          """)
  void whatIsDeniedDoesNotRunAndTheAgentGoesOn(
      String agent, String shell, String write, ScriptedService scripted) throws IOException {
    Client client = scripted.clientOf(agent);
    String calls =
        "[[sh echo one >a.txt]] [[sh echo forbidden >b.txt]] [[call " + write + "]] [[results]]";
    SessionHandle session = client.create(agent, calls, NOTHING_FORBIDDEN);
    TurnHandle turn = session.first();
    String results = turn.completed();
    assertEquals("one\n", PresignedLink.content(session.artifactAt("/workspace/a.txt")));
    assertFalse(files(session).contains("b.txt"), () -> files(session));
    assertFalse(files(session).contains("c.txt"), () -> files(session));
    assertEquals(ends(agent, "ok", "failed", "failed"), ends(turn));
    assertTrue(
        results.contains("The permissions of this session do not allow this call of " + shell),
        results);
  }

  /// The first command, which is allowed, leaves a job that kills each hook, also one that waits
  /// for a person. An agent takes a killed hook for none. Whatever the timing, nothing forbidden
  /// runs in a turn that completes.
  @ParameterizedTest
  @CsvSource({"claude, deny", "codex, deny", "gemini, deny", "claude, ask"})
  void whoKillsTheHookIsFoundOut(String agent, String policy, ScriptedService scripted) {
    Client client = scripted.clientOf(agent);
    String killer =
        "(while :; do for p in /proc/[0-9]*; do a=; { read -r -d '' a; read -r -d '' a; read -r -d '' a; } <$p/cmdline; case $a in /opt/gate/ask) kill -9 ${p#/proc/};; esac; done; done) >/dev/null 2>&1 </dev/null &";
    String message = "[[sh " + killer + "]] " + "[[sh echo forbidden >b.txt]] ".repeat(5);
    Map<String, Object> rule = Map.of("match", "*forbidden*", "policy", policy);
    Map<String, Object> permissions = Map.of("hold_seconds", 900, "rules", List.of(rule));
    SessionHandle session =
        client.create(agent, message + "[[say Done.]]", Map.of("permissions", permissions));
    JsonNode thread = session.first().ended().path("thread");
    String end = thread.path("status").asText() + " " + thread.at("/error/code").asText();
    // Codex is stopped when a call begins, which may be before it has done anything.
    assertTrue(
        end.equals("failed UNAPPROVED_CALL") || !files(session).contains("b.txt"),
        thread::toString);
  }

  @ParameterizedTest
  @ValueSource(strings = {"claude", "codex", "gemini", "opencode"})
  void aPersonDecidesWhileTheAgentWaits(String agent, ScriptedService scripted) throws IOException {
    Client client = scripted.clientOf(agent);
    String calls = "[[sh echo one >a.txt]] [[sh echo one >b.txt]] [[results]]";
    SessionHandle session = client.create(agent, calls, ASKED);
    decide(session, "a.txt", Map.of("decision", "allow"));
    decide(session, "b.txt", Map.of("decision", "deny", "note", "not on a Friday"));
    String results = session.first().completed();
    assertTrue(results.contains("Denied: not on a Friday"), results);
    assertEquals("one\n", PresignedLink.content(session.artifactAt("/workspace/a.txt")));
    assertFalse(files(session).contains("b.txt"), () -> files(session));
    assertEquals(ends(agent, "ok", "failed"), ends(session.first()));
  }

  /// Longer than a program of codex' code mode waits by itself.
  @Test
  void whoTakesAWhileDecidesAllTheSame(ScriptedService scripted) throws IOException {
    decideAfter(Duration.ofSeconds(45), scripted);
  }

  /// Longer than any agent's client waits for anything by itself.
  @Tag("deep")
  @Tag("slow")
  @Test
  void whoTakesFiveMinutesDecidesAllTheSame(ScriptedService scripted) throws IOException {
    decideAfter(Duration.ofMinutes(5), scripted);
  }

  private static void decideAfter(Duration time, ScriptedService scripted) throws IOException {
    Map<String, Object> permissions =
        Map.of("hold_seconds", 900, "rules", List.of(Map.of("kind", "execute", "policy", "ask")));
    Map<String, SessionHandle> sessions = new TreeMap<>();
    for (String agent : List.of("claude", "codex", "gemini", "opencode")) {
      SessionHandle session =
          scripted
              .clientOf(agent)
              .create(agent, CALL + "[[results]]", Map.of("permissions", permissions));
      sessions.put(agent, session);
    }
    sessions.values().forEach(session -> pending(session, "a.txt"));
    scripted
        .clientOf("codex")
        .await("a person who takes their time")
        .atMost(time.plusMinutes(1))
        .during(time)
        .until(() ->
            sessions.values().stream()
                .allMatch(
                    session -> session.load().path("status").asText().equals("requires_action")));
    for (SessionHandle session : sessions.values()) {
      decide(session, "a.txt", Map.of("decision", "allow"));
      session.first().completed();
      assertEquals("one\n", PresignedLink.content(session.artifactAt("/workspace/a.txt")));
    }
  }

  /// The turn is parked at once: no agent runs while a person decides. codex, gemini and opencode
  /// are told to make the call again, by the very words that the scripted model obeys. The same
  /// call once more is another one.
  @ParameterizedTest
  @ValueSource(strings = {"claude", "codex", "gemini", "opencode"})
  void whatIsAllowedLaterRunsOnceAndWhatIsDeniedDoesNot(String agent, ScriptedService scripted)
      throws IOException {
    Client client = scripted.clientOf(agent);
    SessionHandle session = client.create(agent, CALL + CALL + "[[results]]", PARKED);
    JsonNode _ = parked(session, "a.txt");
    decide(session, "a.txt", Map.of("decision", "allow"));
    JsonNode _ = parked(session, "a.txt");
    decide(session, "a.txt", Map.of("decision", "deny", "note", "not on a Friday"));
    String heard = session.first().completed();
    assertTrue(heard.contains("Denied: not on a Friday"), heard);
    assertEquals("one\n", PresignedLink.content(session.artifactAt("/workspace/a.txt")));
  }

  /// claude keeps its call, and makes it first when it is started again, whatever it is told.
  @ParameterizedTest
  @CsvSource({
    "claude, interrupt, false",
    "claude, interrupt, true",
    "claude, follow-up, true",
    "codex, interrupt, true",
    "gemini, interrupt, true"
  })
  void whatNobodyHasDecidedUponNeverRunsLater(
      String agent, String end, boolean free, ScriptedService scripted) {
    Client client = scripted.clientOf(agent);
    SessionHandle session = client.create(agent, CALL + "[[results]]", PARKED);
    JsonNode _ = parked(session, "a.txt");
    if (free) {
      client.patch(session.path(), Collections.singletonMap("permissions", null)).ok();
    }
    if (end.equals("interrupt")) {
      client.send("POST", session.path() + "/interrupt", null).ok();
    }
    session.send(free ? "[[sh echo two >>b.txt]] [[results]]" : "[[ok]]").completed();
    assertFalse(files(session).contains("/workspace/a.txt"), () -> files(session));
    assertEquals(free, files(session).contains("/workspace/b.txt"), () -> files(session));
    assertEquals(1, client.get(session.path() + "/requests").ok().path("items").size());
    session.send("[[ok]]").completed();
    assertFalse(files(session).contains("/workspace/a.txt"), () -> files(session));
  }

  /// claude has its tool to ask only where a person answers.
  @ParameterizedTest
  @CsvSource({"'', ''", "questions, refuse", "plan, approve"})
  void aQuestionThatNobodyHasAnsweredLosesNoMessage(
      String name, String value, ScriptedService scripted) {
    Client client = scripted.clientOf("claude");
    String asks = QUESTIONS.substring(QUESTIONS.indexOf('|') + 1, QUESTIONS.indexOf('\n'));
    Map<String, Object> asked = Map.of("questions", "ask", "hold_seconds", 0);
    SessionHandle session =
        client.create("claude", "[[call" + asks + "]]", Map.of("permissions", asked));
    JsonNode _ = parked(session, "colour");
    Map<String, Object> changed = name.isEmpty() ? null : Map.of(name, value);
    client.patch(session.path(), Collections.singletonMap("permissions", changed)).ok();
    session
        .send("[[call Write {\"file_path\": \"PLAN_FILE\", \"content\": \"# Plan\"}]]")
        .completed();
  }

  @ParameterizedTest
  @ValueSource(strings = {"claude", "codex", "gemini", "opencode", "shell"})
  void whatIsAllowedLaterForTheSessionIsAskedAboutOnce(String agent, ScriptedService scripted)
      throws IOException {
    Client client = scripted.clientOf(agent);
    String message = agent.equals("shell") ? "echo one >>a.txt" : CALL + "[[results]]";
    Instant begun = Instant.now();
    SessionHandle session = client.create(agent, message, PARKED);
    JsonNode request = parked(session, "a.txt");
    assertTrue(
        Instant.parse(request.path("expires_at").asText()).isAfter(begun.plus(6, ChronoUnit.DAYS)),
        request::toString);
    assertEquals("requires_action", session.load().path("status").asText());
    decide(session, "a.txt", Map.of("decision", "allow_session"));
    session.first().completed();
    session.send(message).completed();
    assertEquals("one\none\n", PresignedLink.content(session.artifactAt("/workspace/a.txt")));
    assertEquals(1, client.get(session.path() + "/requests").ok().path("items").size());
  }

  @ParameterizedTest
  @CsvSource(quoteCharacter = '#', delimiter = '|', textBlock = QUESTIONS)
  void anAnswerThatComesLaterIsHeard(String agent, String asks, ScriptedService scripted) {
    Client client = scripted.clientOf(agent);
    Map<String, Object> permissions =
        Map.of("questions", "ask", "hold_seconds", 0, "expires_in_days", 7);
    SessionHandle session =
        client.create(
            agent, "[[call " + asks + "]] [[results]]", Map.of("permissions", permissions));
    JsonNode _ = parked(session, "colour");
    decide(session, "colour", Map.of("decision", "allow", "answers", Map.of("1", List.of("Red"))));
    String heard = session.first().completed();
    assertTrue(heard.contains("A person has answered") && heard.contains("Red"), heard);
  }

  @ParameterizedTest
  @CsvSource(quoteCharacter = '#', delimiter = '|', textBlock = QUESTIONS)
  void aPersonAnswersWhatTheAgentAsks(String agent, String asks, ScriptedService scripted)
      throws IOException {
    Client client = scripted.clientOf(agent);
    String calls = "[[call " + asks + "]] [[results]]";
    SessionHandle session =
        client.create(agent, calls, Map.of("permissions", Map.of("questions", "ask")));
    decide(session, "colour", Map.of("decision", "allow", "answers", Map.of("1", List.of("Red"))));
    String results = session.first().completed();
    assertTrue(
        results.contains("A person has answered: \\\"Which colour?\\\"=\\\"Red\\\"."), results);
    assertEquals(ends(agent, "failed"), ends(session.first()));
    TurnHandle next = session.send(calls);
    decide(session, "colour", Map.of("decision", "deny", "note", "choose yourself"));
    String denied = next.completed();
    assertTrue(denied.contains("Nobody answers: choose yourself."), denied);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          claude   | AskUserQuestion                    | No such tool available
          codex    | functions.request_user_input_async | No person is there to answer.
          gemini   | discovered_tool_ask_user           | not found
          opencode | ask_user                           | unavailable tool
          """)
  void whereNobodyAnswersNothingIsAsked(
      String agent, String tool, String told, ScriptedService scripted) {
    String calls = "[[call " + tool + " {\"questions\": [{\"title\": \"Which?\"}]}]] [[results]]";
    SessionHandle session = scripted.clientOf(agent).create(agent, calls, NOTHING_FORBIDDEN);
    String results = session.first().completed();
    assertTrue(results.contains(told), results);
  }

  /// The plan has a command for the model, which it follows once that comes back as approved.
  @Test
  void claudePlansFirstAndCarriesOutWhatIsApproved(ScriptedService scripted) throws IOException {
    Client client = scripted.clientOf("claude");
    SessionHandle session =
        client.create(
            "claude",
            "[[call Bash {\"command\": \"echo one >a.txt\", \"description\": \"d\"}]]"
                + " [[call Write {\"file_path\": \"PLAN_FILE\","
                + " \"content\": \"\\u005b\\u005bsh echo one >b.txt\\u005d\\u005d\"}]] [[results]]",
            Map.of("permissions", Map.of("plan", "approve")));
    String results = session.first().completed();
    assertTrue(results.contains("You are to write a plan now"), results);
    JsonNode request =
        client.get("/requests?kind=plan&session_id=" + session.id()).ok().at("/items/0");
    JsonNode artifact = session.artifact(request.path("plan_artifact_id").asText());
    assertEquals("[[sh echo one >b.txt]]", PresignedLink.content(artifact));
    client.decide(request, Map.of("decision", "allow")).ok();
    String reply = session.load().at("/_links/latest_final_message/href").asText();
    new TurnHandle(client, reply).completed();
    assertEquals("one\n", PresignedLink.content(session.artifactAt("/workspace/b.txt")));
    assertFalse(files(session).contains("a.txt"), () -> files(session));
  }

  /// An agent that is stopped must not take its waiting hook for one that says nothing.
  @ParameterizedTest
  @ValueSource(strings = {"claude", "codex", "gemini", "opencode"})
  void anInterruptRunsNothingThatWaits(String agent, ScriptedService scripted) throws IOException {
    Client client = scripted.clientOf(agent);
    SessionHandle session = client.create(agent, "[[sh echo one >a.txt]]", ASKED);
    pending(session, "a.txt");
    client.send("POST", session.path() + "/interrupt", null).ok();
    session.send("[[sh ls >b]]");
    decide(session, "ls >b", Map.of("decision", "allow"));
    client.await("a file").until(() -> files(session), names -> names.contains("/workspace/b"));
    assertEquals("b\n", PresignedLink.content(session.artifactAt("/workspace/b")));
  }

  /// Its settings in HOME are its own, and are those of the next turn.
  @Test
  void codexCannotTurnItsHookOff(ScriptedService scripted) throws IOException {
    Client client = scripted.clientOf("codex");
    String change =
        """
        [[sh { printf '%s\\n' 'notify = ["touch", "/workspace/b.txt"]' \
        'mcp_servers.own = {command = "touch", args = ["/workspace/b.txt"]}' \
        'hooks.SessionStart = [{hooks = [{type = "command", command = "touch /workspace/b.txt"}]}]'; \
        sed 's/.features./&\\nhooks = false\\nunified_exec_tty = true/' ~/.codex/config.toml; } >/tmp/changed; \
        cp /tmp/changed ~/.codex/config.toml]]
        """;
    SessionHandle free = client.create("codex", change);
    free.first().completed();
    free.send("[[ok]]").completed();
    assertTrue(files(free).contains("b.txt"), "the change has an effect");
    SessionHandle session = client.create("codex", change, NOTHING_FORBIDDEN);
    session.first().completed();
    String results =
        session
            .send(
                """
                [[call exec_command {"cmd": "bash", "tty": true, "yield_time_ms": 500}]]
                [[sh echo forbidden >b.txt]] [[sh apply_patch <<'EOF']] [[results]]
                """)
            .completed();
    assertTrue(results.contains("TTY execution is disabled"), results);
    assertTrue(results.contains("do not allow this call of Bash"), results);
    assertTrue(results.contains("Call the tool apply_patch itself."), results);
    assertFalse(files(session).contains("b.txt"), () -> files(session));
  }

  /// What its hook is told and what it shows have other forms, and are the same calls.
  @Test
  void codexIsNotAccusedOfWhatWasAllowed(ScriptedService scripted) throws IOException {
    Client client = scripted.clientOf("codex");
    SessionHandle session =
        client.create(
            "codex",
            """
            [[call exec_command {"cmd": "echo 'it is' \\"$HOME\\" \\\\ ! ^ >a.txt\\n  false", "login": false}]]
            [[call exec_command {"cmd": "ls", "shell": "/bin/sh"}]]
            [[call apply_patch "*** Begin Patch\\n*** Add File: sub/../b.txt\\n+b\\n*** Delete File: a.txt\\n*** End Patch\\n"]]
            [[call apply_patch "*** Begin Patch\\n*** Update File: /workspace/b.txt\\n*** Move to: c.txt\\n@@\\n-b\\n+c\\n*** End Patch\\n"]]
            [[call update_plan {"plan": [{"step": "a", "status": "pending"}]}]]
            [[call update_plan {"plan": [{"step": "a", "status": "completed"}]}]]
            [[call list_mcp_resources {}]]
            """,
            NOTHING_FORBIDDEN);
    session.first().completed();
    assertEquals("c\n", PresignedLink.content(session.artifactAt("/workspace/c.txt")));
    assertEquals(List.of("failed", "ok", "ok", "ok", "ok", "ok", "ok"), ends(session.first()));
  }

  /// Its hook is not told the folder of a command.
  @ParameterizedTest
  @ValueSource(ints = {60, 0})
  void whatIsAllowedOfCodexRunsInTheFolderThatWasShown(int holdSeconds, ScriptedService scripted)
      throws IOException {
    Client client = scripted.clientOf("codex");
    Map<String, Object> asks =
        Map.of(
            "rules",
            List.of(Map.of("kind", "execute", "policy", "ask")),
            "hold_seconds",
            holdSeconds);
    List<Map<String, String>> files =
        List.of(
            Map.of("path", "run.sh", "content", "echo right >>/workspace/ran.txt"),
            Map.of("path", "evil/run.sh", "content", "echo evil >>/workspace/ran.txt"));
    SessionHandle session =
        client.create(
            "codex",
            """
            [[call exec_command {"cmd": "bash run.sh", "workdir": "/workspace/evil"}]]
            [[call exec_command {"cmd": "bash run.sh"}]] [[results]]
            """,
            Map.of("permissions", asks, "files", files));
    JsonNode request = pending(session, "run.sh");
    assertEquals("/workspace", request.at("/tool/input/workdir").asText(), request::toString);
    if (holdSeconds == 0) {
      JsonNode _ = parked(session, "run.sh");
    }
    decide(session, "run.sh", Map.of("decision", "allow_session"));
    String results = session.first().completed();
    assertTrue(results.contains("Name another folder by cd in the command."), results);
    assertEquals("right\n", PresignedLink.content(session.artifactAt("/workspace/ran.txt")));
  }

  /// Decides the session's pending request, once it is the one with this text.
  private static void decide(SessionHandle session, String text, Map<String, ?> decision) {
    JsonNode request = pending(session, text);
    session.client().decide(request, decision).ok();
  }

  /// The session's pending request, once it is the one with this text and no agent runs.
  private static JsonNode parked(SessionHandle session, String text) {
    JsonNode request = pending(session, text);
    session
        .client()
        .await("the end of the agent")
        .until(() -> agentsOf(session), agents -> agents == 0);
    return request;
  }

  private static JsonNode pending(SessionHandle session, String text) {
    return session
        .client()
        .await("a request about " + text)
        .until(
            () -> session.client().get(session.inbox()).ok().at("/items/0"),
            item -> item.at("/tool/input").toString().contains(text));
  }

  /// The number of processes that have the session's id in their environment, as each agent has.
  private static long agentsOf(SessionHandle session) {
    return ProcessHandle.allProcesses()
        .map(process -> Path.of("/proc/" + process.pid() + "/environ"))
        .filter(environment -> contains(environment, "AGENT_SESSION_ID=" + session.id()))
        .count();
  }

  private static boolean contains(Path file, String text) {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1).contains(text);
    } catch (IOException gone) {
      return false;
    }
  }

  private static String files(SessionHandle session) {
    return session.client().get(session.path() + "/artifacts").ok().toString();
  }

  /// Codex does not show a call that is denied.
  private static List<String> ends(String agent, String... ends) {
    return Stream.of(ends).filter(end -> !agent.equals("codex") || end.equals("ok")).toList();
  }

  private static List<String> ends(TurnHandle turn) throws IOException {
    List<String> ends = new ArrayList<>();
    for (String row : turn.toolCalls()) {
      ends.add(JSON.readTree(row).path("status").asText());
    }
    return ends.stream().filter(status -> !status.isEmpty()).toList();
  }
}
