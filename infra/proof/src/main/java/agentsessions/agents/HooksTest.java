package agentsessions.agents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.local.machine.Installation;
import agentsessions.talk.PresignedLink;
import agentsessions.talk.SessionHandle;
import agentsessions.talk.TurnHandle;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The tables of `infra/docs/hooks.md`: each kind of tool is called once by the real agent, and
/// what its hook was told of the call stands beside what its transcript shows of it. A newer
/// version of an agent for which a row is another fails here, with the whole table as it is now.
@Tag("agents")
@ExtendWith(SharedScriptedService.class)
final class HooksTest {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);

  /// The calls in whose time claude takes its changed settings, perhaps before its hook is called:
  /// of no table.
  private static final String PAUSE = "Bash {\"command\":\"sleep 4\"}";

  /// The calls that the model makes, one after another. A mark that is meant for an agent's own
  /// agent is written with escapes, so that it is none before.
  enum Calls {
    CLAUDE(
        """
        [[call Bash {"command": "echo one >a.txt"}]]
        [[call Bash {"command": "sleep 1", "run_in_background": true}]]
        [[call Bash {"command": "cd /workspace && mv a.txt b.txt", "timeout": "5000"}]]
        [[call Bash {"command": "true", "extra": 1}]]
        [[call Read {"file_path": "b.txt"}]]
        [[call Edit {"file_path": "b.txt", "old_string": "one", "new_string": "two"}]]
        [[call Write {"file_path": "/workspace/n.ipynb", "content": "{\\"cells\\": [], \\"metadata\\": {}, \\"nbformat\\": 4, \\"nbformat_minor\\": 5}"}]]
        [[call Grep {"pattern": "two"}]]
        [[call ToolSearch {"query": "select:NotebookEdit,WebFetch,Monitor", "max_results": 3}]]
        [[call NotebookEdit {"notebook_path": "n.ipynb", "new_source": "1", "edit_mode": "insert", "cell_type": "code"}]]
        [[call WebFetch {"url": "http://127.0.0.1:9/", "prompt": "p"}]]
        [[call TodoWrite {"todos": []}]]
        [[call AskUserQuestion {"questions": []}]]
        [[call Skill {"skill": "simplify"}]]
        [[call mcp__probe__look_up {"word": "w"}]]
        [[call Agent {"description": "d", "prompt": "\\u005b\\u005bcall Bash {\\"command\\": \\"echo inner\\"}\\u005d\\u005d", "subagent_type": "general-purpose", "run_in_background": false}]]
        [[call Write {"file_path": ".claude/settings.local.json", "content": "{\\"disableAllHooks\\": true}"}]]
        [[call Bash {"command": "sleep 4"}]]
        [[call Bash {"command": "sleep 4"}]]
        [[call Bash {"command": "echo unjudged"}]]
        """),
    CODEX(
        """
        [[call exec_command {"cmd": "echo one >a.txt", "workdir": "/workspace", "login": false}]]
        [[call exec_command {"cmd": "echo 'it is' >>a.txt; sleep 1 &"}]]
        [[call exec_command {"cmd": "apply_patch <<'EOF'\\n*** Begin Patch\\n*** Add File: h.txt\\n+h\\n*** End Patch\\nEOF"}]]
        [[call apply_patch "*** Begin Patch\\n*** Add File: b.txt\\n+b\\n*** Update File: a.txt\\n@@\\n-one\\n+two\\n*** End Patch\\n"]]
        [[call apply_patch "*** Begin Patch\\n*** Delete File: h.txt\\n*** Update File: b.txt\\n*** Move to: c.txt\\n@@\\n-b\\n+c\\n*** End Patch\\n"]]
        [[call write_stdin {session_id: (await tools.exec_command({cmd: "bash", tty: true, yield_time_ms: 500})).session_id, chars: "echo unjudged >stdin.txt\\n", yield_time_ms: 500}]]
        [[call view_image {"path": "/workspace/none.png"}]]
        [[call update_plan {"plan": [{"step": "a", "status": "in_progress"}]}]]
        [[call mcp__probe__look_up {"word": "w"}]]
        [[call list_mcp_resources {}]]
        [[call functions.request_user_input_async {"questions": [{"title": "q?"}]}]]
        [[call collaboration.spawn_agent {"task_name": "inner", "message": "\\u005b\\u005bcall exec_command {\\"cmd\\": \\"echo inner\\"}\\u005d\\u005d", "fork_turns": "none"}]]
        [[call collaboration.wait_agent {"timeout_ms": 10000}]]
        """),
    GEMINI(
        """
        [[call run_shell_command {"command": "echo one >a.txt"}]]
        [[call run_shell_command {"command": "mv a.txt b.txt", "description": "x"}]]
        [[call run_shell_command {"command": "sleep 1", "is_background": true}]]
        [[call run_shell_command {"description": "x"}]]
        [[call read_file {"file_path": "b.txt"}]]
        [[call list_directory {"dir_path": "."}]]
        [[call replace {"file_path": "b.txt", "old_string": "one", "new_string": "two", "instruction": "i"}]]
        [[call write_file {"file_path": "c.txt", "content": "c"}]]
        [[call grep_search {"pattern": "two"}]]
        [[call glob {"pattern": "*"}]]
        [[call web_fetch {"prompt": "http://127.0.0.1:9/"}]]
        [[call update_topic {"title": "t", "strategic_intent": "s"}]]
        [[call write_todos {"todos": []}]]
        [[call ask_user {"questions": []}]]
        [[call activate_skill {"name": "skill-creator"}]]
        [[call mcp_probe_look_up {"word": "w"}]]
        [[call invoke_agent {"agent_name": "generalist", "prompt": "\\u005b\\u005bcall read_file {\\"file_path\\": \\"c.txt\\"}\\u005d\\u005d \\u005b\\u005bcall complete_task {\\"result\\": {\\"response\\": \\"r\\"}}\\u005d\\u005d"}]]
        """),
    OPENCODE(
        """
        [[call bash {"command": "echo one >a.txt", "extra": 1}]]
        [[call bash {"timeout": 5}]]
        [[call read {"filePath": "a.txt"}]]
        [[call apply_patch {"patchText": "*** Begin Patch\\n*** Update File: a.txt\\n*** Move to: b.txt\\n@@\\n-one\\n+two\\n*** End Patch\\n"}]]
        [[call grep {"pattern": "two"}]]
        [[call glob {"pattern": "*"}]]
        [[call webfetch {"url": "http://127.0.0.1:9/", "format": "text"}]]
        [[call todowrite {"todos": []}]]
        [[call skill {"name": "none"}]]
        [[call probe_look_up {"word": "w"}]]
        [[call task {"description": "d", "prompt": "\\u005b\\u005bcall bash {\\"command\\": \\"echo inner\\"}\\u005d\\u005d", "subagent_type": "general"}]]
        """);

    private final String message;

    Calls(String message) {
      this.message = message;
    }

    private String agent() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// A tool call as the hook or the transcript has it.
  ///
  /// @param id empty where the hook is told none
  /// @param ended `ok` or `failed`; empty of the hook's
  private record Seen(String id, String text, String ended) {
    static Seen of(JsonNode call, String id, String name, String input) throws IOException {
      Object value = JSON.convertValue(call.path(input), Object.class);
      String text = call.path(name).asText() + " " + JSON.writeValueAsString(value);
      return new Seen(call.path(id).asText(""), text, "");
    }

    boolean isSame(Seen other) {
      boolean hasIds = !id.isEmpty() && !other.id.isEmpty();
      return hasIds ? id.equals(other.id) : text.equals(other.text);
    }
  }

  @ParameterizedTest
  @EnumSource
  void theTableIsTheDocuments(Calls calls, ScriptedService scripted) throws IOException {
    String agent = calls.agent();
    SessionHandle session =
        scripted.clientOf("hooked-" + agent).create("hooked-" + agent, calls.message);
    TurnHandle turn = session.first();
    turn.completed();
    List<Seen> told = told(PresignedLink.content(session.artifactAt("/workspace/told.jsonl")));
    assertEquals(documented(agent), table(withoutPause(told), withoutPause(shown(turn))));
    if (calls == Calls.CODEX) {
      // What it types into a terminal is neither told nor shown.
      assertTrue(session.artifactAt("/workspace/stdin.txt").has("id"));
    }
  }

  private static List<Seen> told(String lines) throws IOException {
    List<Seen> told = new ArrayList<>();
    for (String line : lines.lines().toList()) {
      told.add(Seen.of(JSON.readTree(line), "tool_use_id", "tool_name", "tool_input"));
    }
    return told;
  }

  private static List<Seen> shown(TurnHandle turn) throws IOException {
    List<Seen> shown = new ArrayList<>();
    Map<String, String> ends = new HashMap<>();
    for (String row : turn.toolCalls()) {
      JsonNode call = JSON.readTree(row);
      if (call.has("status")) {
        ends.put(call.path("id").asText(), call.path("status").asText());
      } else {
        shown.add(Seen.of(call, "id", "name", "input"));
      }
    }
    return shown.stream()
        .map(call -> new Seen(call.id, call.text, ends.getOrDefault(call.id, "open")))
        .toList();
  }

  private static List<Seen> withoutPause(List<Seen> calls) {
    return calls.stream().filter(call -> !call.text.equals(PAUSE)).toList();
  }

  private static String table(List<Seen> told, List<Seen> shown) {
    List<Seen> alone = new ArrayList<>(shown);
    List<String> rows = new ArrayList<>();
    for (Seen call : told) {
      Optional<Seen> same = alone.stream().filter(call::isSame).findFirst();
      same.ifPresent(alone::remove);
      rows.add(row(cell(call.text), same.map(it -> beside(call, it)).orElse("")));
    }
    alone.forEach(call -> rows.add(row("", cell(call.text) + " " + call.ended)));
    return rows.stream().sorted().collect(Collectors.joining("\n"));
  }

  private static String beside(Seen told, Seen shown) {
    return told.text.equals(shown.text) ? "the same" : cell(shown.text);
  }

  private static String row(String told, String shown) {
    return "| %s | %s |".formatted(told, shown);
  }

  private static String cell(String text) {
    return "`" + text + "`";
  }

  /// The rows below the agent's heading.
  private static String documented(String agent) throws IOException {
    Path document = Installation.find().root().resolve("infra/docs/hooks.md");
    String section = Files.readString(document).split("\n## " + agent, 2)[1].split("\n## ", 2)[0];
    Stream<String> rows = section.lines().filter(line -> line.matches("\\| (`.*)? ?\\| .*"));
    return rows.sorted().collect(Collectors.joining("\n"));
  }
}
